package dev.holdfast.cli.config;

import dev.holdfast.store.SizeLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Who calls, for those who ask who holds a lease: {@code ada@build-7}. */
public final class ProcessOwner {
    /** Of code points, so that both parts fit whatever they are made of. */
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
            // The name service of Java is slow to start; the kernel knows as well.
            String fromKernel =
                    Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            if (!fromKernel.isEmpty()) {
                return fromKernel;
            }
        } catch (IOException e) {
            // Not Linux: ask as anybody would.
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
