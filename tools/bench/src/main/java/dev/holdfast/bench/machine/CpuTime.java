package dev.holdfast.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.stream.Stream;

/** The processor time of process trees, from {@code /proc}. */
public final class CpuTime {
    /** The ticks per second of all Linux machines that matter here (USER_HZ). */
    private static final long TICKS = 100;

    private static final int FIRST_TIME_FIELD = 11;

    private CpuTime() {}

    /** The time of these processes and their descendants, those that ended included. */
    public static Duration of(Collection<ProcessHandle> roots) {
        long ticks = roots.stream()
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .distinct()
                .mapToLong(process -> ticks(process.pid()))
                .sum();
        return inSeconds(ticks);
    }

    /** The time that all processors of the machine were busy. */
    public static Duration ofMachine() throws IOException {
        String[] fields =
                Files.readString(Path.of("/proc/stat")).split("\n", 2)[0].trim().split(" +", -1);
        // user, nice, system, then idle and iowait, which do not count, then irq, softirq.
        long ticks = 0;
        for (int field : new int[] {1, 2, 3, 6, 7}) {
            ticks += Long.parseLong(fields[field]);
        }
        return inSeconds(ticks);
    }

    private static long ticks(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
            // The name of the program comes before, and may contain spaces.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            // The times of the process in user and system mode, and of its children that ended.
            for (int field = FIRST_TIME_FIELD; field < FIRST_TIME_FIELD + 4; field++) {
                ticks += Long.parseLong(fields[field]);
            }
            return ticks;
        } catch (IOException e) {
            // It ended meanwhile.
            return 0;
        }
    }

    private static Duration inSeconds(long ticks) {
        return Duration.ofMillis(ticks * 1000 / TICKS);
    }
}
