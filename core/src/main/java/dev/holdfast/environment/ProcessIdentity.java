package dev.holdfast.environment;

import dev.holdfast.Holder;
import dev.holdfast.store.SizeLimits;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The default holder name of this process, readable for people. */
public final class ProcessIdentity {
    private ProcessIdentity() {}

    /** The user, the host and the process id, such as {@code ada@build-7#4711}. */
    public static Holder holder() {
        String user = shortened(System.getProperty("user.name", "unknown"));
        return Holder.of(
                user + "@" + shortened(host()) + "#" + ProcessHandle.current().pid());
    }

    /** Cuts a part to so few code points that the whole name always fits. */
    private static String shortened(String name) {
        int most = SizeLimits.HOLDER_BYTES / 12;
        boolean fits = name.codePointCount(0, name.length()) <= most;
        return fits ? name : name.substring(0, name.offsetByCodePoints(0, most));
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
