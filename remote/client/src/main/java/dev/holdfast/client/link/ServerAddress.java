package dev.holdfast.client.link;

/** Where a server listens. */
public record ServerAddress(String host, int port) {
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
