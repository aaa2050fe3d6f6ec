package dev.holdfast.wire;

import dev.holdfast.internal.ArgumentCheck;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version of the protocol that one side speaks, and the oldest version of the other side that it works with. Both sides
 * send both with every message head: that costs no round trip, and each side can refuse the other with a clear message.
 *
 * @param version grows only with a change that an older peer would misunderstand; see docs/protocol.md
 * @param oldestPeer at most {@code version}
 */
public record ProtocolVersion(int version, int oldestPeer) {
    /** The header with the version of its sender. Absent: 1. */
    public static final String VERSION_HEADER = "holdfast-protocol";

    /** The header with the oldest version that its sender works with. Absent: 1. */
    public static final String OLDEST_PEER_HEADER = "holdfast-protocol-min";

    /** Sent by code from before there were these headers, and by clients in other languages: they send neither. */
    public static final ProtocolVersion UNSTATED = new ProtocolVersion(1, 1);

    /** That of this code. */
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
     * What the other side says of itself.
     *
     * @param headers the value of a header by its name; null if it was not sent
     */
    public static ProtocolVersion of(Function<String, @Nullable String> headers) {
        @Nullable String version = headers.apply(VERSION_HEADER);
        @Nullable String oldest = headers.apply(OLDEST_PEER_HEADER);
        int spoken = version == null ? UNSTATED.version : number(version);
        return new ProtocolVersion(spoken, oldest == null ? UNSTATED.oldestPeer : Math.min(spoken, number(oldest)));
    }

    /** A header that is no number counts as 1: a proxy or a person wrote it. */
    private static int number(String text) {
        return NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 1;
    }

    /**
     * Why this side and {@code peer} cannot work together; empty if they can. The one that is too old is to be upgraded.
     *
     * @param self what this side is called, such as {@code server}
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
