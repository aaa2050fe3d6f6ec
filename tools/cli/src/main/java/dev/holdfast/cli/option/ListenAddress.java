package dev.holdfast.cli.option;

import dev.holdfast.cli.CommandFailure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Parser of the address to listen on, such as {@code 127.0.0.1:7475} or {@code [::1]:7475}. */
public final class ListenAddress {
    private ListenAddress() {}

    /** @throws CommandFailure if the text is not a valid address */
    public static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port >= 0 && port <= 65_535) {
                return new InetSocketAddress(InetAddress.getAllByName(text.substring(0, colon))[0], port);
            }
        } catch (NumberFormatException | UnknownHostException e) {
            // Rejected below.
        }
        throw CommandFailure.usage("--listen: " + text + " (expected: HOST:PORT)");
    }
}
