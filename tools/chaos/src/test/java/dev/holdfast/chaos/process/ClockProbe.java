package dev.holdfast.chaos.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Scanner;
import java.util.concurrent.locks.LockSupport;

/** A process that prints its wall clock, its monotonic clock and the length of a timed wait, once for each line it reads. */
final class ClockProbe {
    static final long WAIT_MILLIS = 100;

    private ClockProbe() {}

    public static void main(String[] args) {
        Scanner lines = new Scanner(System.in, UTF_8);
        while (lines.hasNextLine()) {
            lines.nextLine();
            long startNanos = System.nanoTime();
            LockSupport.parkNanos(WAIT_MILLIS * 1_000_000);
            long waitedMillis = (System.nanoTime() - startNanos) / 1_000_000;
            System.out.println(System.currentTimeMillis() + " " + System.nanoTime() / 1_000_000 + " " + waitedMillis);
        }
    }
}
