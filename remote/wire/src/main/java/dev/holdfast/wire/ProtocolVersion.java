package dev.holdfast.wire;

import dev.holdfast.support.ArgumentCheck;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The protocol version of one side, and the oldest version of the other side that it works with. Both sides send both
 * numbers in every message head. That costs no round trip, and each side can reject the other with a clear message.
 *
 * @param version the version; it grows only with a change that an older peer would misunderstand; see docs/protocol.md
 * @param oldestPeer the oldest supported version of a peer; at most {@code version}
 */
public record ProtocolVersion(int version, int oldestPeer) {
    /** The header with the version of its sender. Absent: 1. */
    public static final String VERSION_HEADER = "holdfast-protocol";

    /** The header with the oldest version that its sender works with. Absent: 1. */
    public static final String OLDEST_PEER_HEADER = "holdfast-protocol-min";

    /** The version of peers that send neither header: code older than these headers, and clients in other languages. */
    public static final ProtocolVersion UNSTATED = new ProtocolVersion(1, 1);

    /** The version of this code. */
    public static final ProtocolVersion CURRENT = new ProtocolVersion(1, 1);

    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");

    public ProtocolVersion {
        if (version < 1) {
            throw ArgumentCheck.bad("version", version, ">= 1");
        }
        if (oldestPeer < 1 || oldestPeer > version) {
            throw ArgumentCheck.bad("oldest peer", oldestPeer, ">= 1 and <= " + version);
        }
    }

    /**
     * Reads the version of the other side from its headers.
     *
     * @param headers returns the value of a header by its name; null if it was not sent
     */
    public static ProtocolVersion of(Function<String, @Nullable String> headers) {
        @Nullable String version = headers.apply(VERSION_HEADER);
        @Nullable String oldest = headers.apply(OLDEST_PEER_HEADER);
        int spoken = version == null ? UNSTATED.version : number(version);
        return new ProtocolVersion(spoken, oldest == null ? UNSTATED.oldestPeer : Math.min(spoken, number(oldest)));
    }

    /** A header that is not a number counts as 1: a proxy or a person wrote it. */
    private static int number(String text) {
        return NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 1;
    }

    /**
     * Returns why this side and {@code peer} cannot work together; empty if they can. The message names the older side,
     * which must be upgraded.
     *
     * @param self the name of this side, such as {@code server}
     */
    public Optional<String> conflictWith(ProtocolVersion peer, String self, String peerName) {
        if (peer.version < oldestPeer) {
            return Optional.of(tooOld(peerName, peer.version, self, version, oldestPeer));
        }
        if (version < peer.oldestPeer) {
            return Optional.of(tooOld(self, version, peerName, peer.version, peer.oldestPeer));
        }
        return Optional.empty();
    }

    private static String tooOld(String old, int oldVersion, String other, int otherVersion, int oldest) {
        return "the " + old + " speaks version " + oldVersion + " of the protocol, and the " + other
                + ", which speaks version " + otherVersion + ", needs version " + oldest + " at least; upgrade the "
                + old;
    }
}
