package dev.holdfast.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.proto.v1.LeasesGrpc;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A peer that vanished: it does not respond, and its connection stays open. */
@Tag("slow")
class VanishedPeerTest {
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int DATA = 0;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;

    @Test
    void theConnectionIsClosedButNotThatOfALivePeer() throws Exception {
        try (EdgeServer server = new EdgeServer(
                        builder -> builder.ping(Duration.ofSeconds(1)).drain(Duration.ofMillis(100)));
                Socket vanished = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            TestSession living = TestSession.open(server.stub(LeasesGrpc.LeasesStub.class), "living");
            vanished.setSoTimeout(60_000);
            vanished.getOutputStream().write(openWatch());

            // Without pings, the server would keep the connection until its idle time, which is minutes, or forever.
            long bytes = readToTheEnd(vanished.getInputStream());

            assertThat(bytes).isPositive();
            living.beat(2);
            assertThat(living.next().getAcknowledged().getNumber()).isEqualTo(2);
        }
    }

    private static long readToTheEnd(InputStream in) throws IOException {
        return in.readAllBytes().length;
    }

    private static byte[] openWatch() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        frame(bytes, SETTINGS, 0, 0, new byte[0]);
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        headers.write(0x83); // :method POST
        headers.write(0x86); // :scheme http
        literal(headers, 4, "/holdfast.v1.Leases/Watch");
        literal(headers, 1, "localhost");
        named(headers, "content-type", "application/grpc");
        named(headers, "te", "trailers");
        frame(bytes, HEADERS, END_HEADERS, 1, headers.toByteArray());
        frame(bytes, DATA, END_STREAM, 1, new byte[5]);
        return bytes.toByteArray();
    }

    private static void literal(ByteArrayOutputStream out, int index, String value) {
        out.write(index);
        text(out, value);
    }

    private static void named(ByteArrayOutputStream out, String name, String value) {
        out.write(0);
        text(out, name);
        text(out, value);
    }

    private static void text(ByteArrayOutputStream out, String text) {
        out.write(text.length());
        out.writeBytes(text.getBytes(US_ASCII));
    }

    private static void frame(ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
        out.write(payload.length >> 16);
        out.write(payload.length >> 8);
        out.write(payload.length);
        out.write(type);
        out.write(flags);
        out.writeBytes(new byte[] {0, 0, 0, (byte) stream});
        out.writeBytes(payload);
    }
}
