package dev.holdfast.sqlite.clock;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Boot clock of Linux, from {@code /proc/uptime}. It continues while the machine sleeps, and has steps of 10 ms. On
 * other systems, and without a readable {@code /proc}, there is no clock.
 *
 * <p>Processes in different containers may share a file and a kernel, but see different clocks. Each time namespace has
 * its own offset, so the namespace is part of the boot's name. If something such as lxcfs is mounted over {@code
 * /proc/uptime} to show the container's age, there is no clock to trust.
 */
final class SystemBootClock implements BootClock {
    static final SystemBootClock INSTANCE = new SystemBootClock(Path.of("/proc"));

    private static final int UPTIME_BYTES = 64;
    private static final double STEPS_PER_SECOND = 100;
    private static final long STEP_NANOS = 10_000_000;

    private final @Nullable String boot;
    /** Kept open, because every transaction reads it. Not a channel, because an interrupt would close it. */
    private final @Nullable RandomAccessFile uptime;

    SystemBootClock(Path proc) {
        String foundBoot = null;
        RandomAccessFile foundUptime = null;
        try {
            if (!isMountedOver(proc, proc.resolve("uptime"))) {
                foundBoot = bootId(proc) + timeNamespace(proc);
                foundUptime = new RandomAccessFile(proc.resolve("uptime").toFile(), "r");
            }
        } catch (IOException e) {
            foundBoot = null;
        }
        this.boot = foundBoot;
        this.uptime = foundUptime;
    }

    @Override
    public @Nullable BootTime now() {
        if (boot == null || uptime == null) {
            return null;
        }
        try {
            return new BootTime(boot, nanos(read(uptime)));
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    private static String read(RandomAccessFile file) throws IOException {
        byte[] bytes = new byte[UPTIME_BYTES];
        int length;
        synchronized (file) {
            file.seek(0);
            length = file.read(bytes);
        }
        return new String(bytes, 0, Math.max(0, length), US_ASCII);
    }

    /** Parses text such as {@code 6079.99 7485.49}: the time since boot, and the idle time of all processors. */
    private static long nanos(String text) {
        int end = Math.max(0, text.indexOf(' '));
        return Math.round(Double.parseDouble(text.substring(0, end)) * STEPS_PER_SECOND) * STEP_NANOS;
    }

    private static String bootId(Path proc) throws IOException {
        String id = Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
        if (id.isEmpty()) {
            throw new IOException("no boot id");
        }
        return id;
    }

    private static String timeNamespace(Path proc) {
        try {
            return " " + Files.readSymbolicLink(proc.resolve("self/ns/time"));
        } catch (IOException e) {
            return ""; // a kernel without time namespaces
        }
    }

    /** Lines of mountinfo have the form {@code 36 35 98:0 /root /mount/point rw ...}. */
    private static boolean isMountedOver(Path proc, Path file) throws IOException {
        // Mount points need not be UTF-8, and Latin-1 decodes any bytes.
        try (Stream<String> mounts = Files.lines(proc.resolve("self/mountinfo"), ISO_8859_1)) {
            return mounts.anyMatch(line -> line.contains(" " + file + " "));
        }
    }
}
