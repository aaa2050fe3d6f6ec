package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.wire.ProtocolVersion;
import java.io.IOException;
import java.net.HttpURLConnection;
import org.junit.jupiter.api.Test;

class ProtocolVersionGateTest {
    @Test
    void everyResponseStatesTheVersionsAndJsonNeedsNone() throws IOException {
        ProtocolVersion newer = new ProtocolVersion(3, 2);
        try (LoopbackServer server =
                new LoopbackServer(builder -> builder.store("memory:").with(new ProtocolVersionGate(newer)))) {
            HttpURLConnection connection = new Http(server.port()).open("/v1/leases");

            assertThat(connection.getResponseCode()).isEqualTo(200);
            assertThat(connection.getHeaderFields().keySet())
                    .contains(ProtocolVersion.VERSION_HEADER, ProtocolVersion.OLDEST_PEER_HEADER);
        }
    }
}
