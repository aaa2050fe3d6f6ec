package dev.holdfast.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The share of the machine that other processes took since a moment. */
public final class MachineNoise {
    /** Above this share of all processors, a turn is marked as noisy. The kernel's own threads take a few percent. */
    public static final double LIMIT = 0.1;

    private final List<ProcessHandle> ours;
    private final long beganNanos = System.nanoTime();
    private final double machineBefore = seconds(CpuTime.ofMachine());
    private final double oursBefore;

    /** @param servers the processes that are not descendants of this one */
    public MachineNoise(Collection<ProcessHandle> servers) throws IOException {
        ours = new ArrayList<>(servers);
        ours.add(ProcessHandle.current());
        oursBefore = seconds(CpuTime.of(ours));
    }

    public double share() throws IOException {
        double others = seconds(CpuTime.ofMachine()) - machineBefore - (seconds(CpuTime.of(ours)) - oursBefore);
        double available =
                (System.nanoTime() - beganNanos) / 1e9 * Runtime.getRuntime().availableProcessors();
        return Math.max(0, others / available);
    }

    public static String loadAverage() throws IOException {
        return Files.readString(Path.of("/proc/loadavg")).trim();
    }

    private static double seconds(java.time.Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
