package dev.holdfast.client.link;

/** The address of a server. */
public record ServerAddress(String host, int port) {
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
