package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

class ListenerSocketFactoryTest {
    private final ListenerSocketFactory factory = new ListenerSocketFactory();

    @Test
    void theDriverFindsTheFactory() {
        assertThat(ListenerSocketFactory.isVisibleToDriver()).isTrue();
    }

    @Test
    void theDriversQuestionIsAnsweredWithoutReading() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = factory.createSocket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept();
                InputStream input = client.getInputStream()) {
            client.setSoTimeout(1);
            assertThatThrownBy(() -> input.read(new byte[1], 0, 1))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("nothing has arrived");
            assertThatThrownBy(input::read).hasMessage("nothing has arrived");

            accepted.getOutputStream().write(new byte[] {7, 8});
            client.setSoTimeout(10_000);
            assertThat(input.read()).isEqualTo(7);

            client.setSoTimeout(1);
            assertThat(input.read()).as("what has arrived is read").isEqualTo(8);
        }
    }

    @Test
    void otherTimeoutsAreThoseOfTheSocket() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = factory.createSocket(server.getInetAddress().getHostAddress(), server.getLocalPort());
                InputStream input = client.getInputStream()) {
            client.setSoTimeout(2);

            assertThatThrownBy(input::read)
                    .isInstanceOf(SocketTimeoutException.class)
                    .message()
                    .isNotEqualTo("nothing has arrived");
        }
    }
}
