package dev.holdfast.postgres;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;

/**
 * Factory for the socket of the connection that listens for releases. The driver creates it by its name; applications
 * do not use it.
 *
 * <p>After each notification, the driver asks whether another one follows, and to find out it reads with a timeout of a
 * millisecond. It returns the first notification only after that, which would be half of the time of a hand-over. A
 * socket of this factory answers such a read immediately if nothing has arrived.
 */
public final class ListenerSocketFactory extends SocketFactory {
    /** The timeout of the driver's question. Other timeouts of the driver are whole seconds, or those of this store. */
    private static final int QUESTION_MILLIS = 1;

    /** Whether the driver can find this class: its class loader may be another one. */
    static boolean isVisibleToDriver() {
        try {
            ClassLoader drivers = PGProperty.class.getClassLoader();
            return Class.forName(ListenerSocketFactory.class.getName(), false, drivers) == ListenerSocketFactory.class;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public Socket createSocket() {
        return new ListenerSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    private static Socket connected(InetSocketAddress remote, @Nullable InetSocketAddress local) throws IOException {
        Socket socket = new ListenerSocket();
        boolean connected = false;
        try {
            socket.bind(local);
            socket.connect(remote);
            connected = true;
            return socket;
        } finally {
            if (!connected) {
                socket.close();
            }
        }
    }

    private static final class ListenerSocket extends Socket {
        @Override
        public InputStream getInputStream() throws IOException {
            return new Input(super.getInputStream(), this);
        }
    }

    private static final class Input extends FilterInputStream {
        private final Socket socket;

        Input(InputStream in, Socket socket) {
            super(in);
            this.socket = socket;
        }

        @Override
        public int read() throws IOException {
            answerQuestion();
            return super.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            answerQuestion();
            return super.read(bytes, offset, length);
        }

        private void answerQuestion() throws IOException {
            if (socket.getSoTimeout() == QUESTION_MILLIS && available() == 0) {
                throw new SocketTimeoutException("nothing has arrived");
            }
        }
    }
}
