package dev.holdfast.internal.runtime;

import dev.holdfast.model.Holder;
import dev.holdfast.model.Limits;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who this process is, for people who ask who holds a lease. */
public final class Identity {
    private Identity() {}

    /** The user, the host and the process, such as {@code ada@build-7#4711}. */
    public static Holder holder() {
        String name = System.getProperty("user.name", "unknown") + "@" + host() + "#"
                + ProcessHandle.current().pid();
        return Holder.of(name.length() <= Limits.HOLDER_BYTES / 4 ? name : name.substring(0, Limits.HOLDER_BYTES / 4));
    }

    private static String host() {
        String fromShell = System.getenv("HOSTNAME");
        if (fromShell != null && !fromShell.isBlank()) {
            return fromShell;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
