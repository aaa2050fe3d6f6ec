package dev.holdfast.cli.config;

import dev.holdfast.store.SizeLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Default holder name of this process, from user and host: {@code ada@build-7}. */
public final class ProcessOwner {
    /** Longest part, in code points: user and host together always fit into a holder name, in any script. */
    private static final int LONGEST = SizeLimits.HOLDER_BYTES / 9;

    private ProcessOwner() {}

    static String self(Map<String, String> environment) {
        return shortened(System.getProperty("user.name", "unknown")) + "@" + shortened(host(environment));
    }

    /** The name of this host. */
    public static String host(Map<String, String> environment) {
        String fromShell = environment.getOrDefault("HOSTNAME", "");
        if (!fromShell.isBlank()) {
            return fromShell;
        }
        try {
            // Java's name service is slow to start. The kernel knows the name, too.
            String fromKernel =
                    Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            if (!fromKernel.isEmpty()) {
                return fromKernel;
            }
        } catch (IOException e) {
            // Not Linux: use the name service.
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private static String shortened(String name) {
        boolean fits = name.codePointCount(0, name.length()) <= LONGEST;
        return fits ? name : name.substring(0, name.offsetByCodePoints(0, LONGEST));
    }
}
