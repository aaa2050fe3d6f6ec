package dev.holdfast.cli.child;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A child and all that came of it. Java can neither make a process group nor signal one, and a group of its own would
 * take the terminal from the child; so they are found one by one: as descendants, and on Linux also by the mark in their
 * environment, which finds those whose parent is gone.
 */
final class ProcessTree {
    private static final long LOOK_MILLIS = 50;

    /** Each look reads the environment of every process of the machine, and this may go on for days. */
    private static final long WATCH_MILLIS = 500;

    private static final int KILLS = 20;

    private final ProcessHandle child;
    private final byte[] mark;
    private final Path proc;
    private final Set<ProcessHandle> known = new LinkedHashSet<>();

    /** @param mark {@code NAME=VALUE} that only this child was given */
    ProcessTree(ProcessHandle child, String mark) {
        this(child, mark, Path.of("/proc"));
    }

    ProcessTree(ProcessHandle child, String mark, Path proc) {
        this.child = child;
        this.mark = mark.getBytes(UTF_8);
        this.proc = proc;
    }

    /**
     * Asks all of them to end, and kills those that are left after {@code grace}. What one of them starts after it was asked
     * is left alone until then: it may be there to clean up.
     */
    void end(Duration grace) throws InterruptedException {
        long deadline = System.nanoTime() + grace.toNanos();
        look();
        known.forEach(ProcessHandle::destroy);
        while (look() && deadline - System.nanoTime() > 0) {
            rest();
        }
        // Again and again: what is killed first may have started something in between.
        for (int i = 0; i < KILLS && look(); i++) {
            known.forEach(ProcessHandle::destroyForcibly);
            rest();
        }
    }

    /** Waits until all of them have ended, or {@code cut} is complete. */
    void awaitEnd(CompletableFuture<?> cut) throws InterruptedException {
        while (!cut.isDone() && look()) {
            try {
                cut.get(WATCH_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                // Not cut short: look again.
            }
        }
    }

    /** Finds who is there; false if nobody is left. */
    private boolean look() {
        known.add(child);
        Set<ProcessHandle> found = new LinkedHashSet<>();
        for (ProcessHandle process : known) {
            process.descendants().forEach(found::add);
        }
        addMarked(found);
        known.addAll(found);
        known.removeIf(process -> !process.isAlive());
        return !known.isEmpty();
    }

    private void addMarked(Set<ProcessHandle> found) {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                if (isMarked(process)) {
                    Optional<ProcessHandle> handle = ProcessHandle.of(
                            Long.parseLong(process.getFileName().toString()));
                    handle.ifPresent(found::add);
                }
            }
        } catch (IOException e) {
            // Not Linux: the descendants have to do.
        }
    }

    private boolean isMarked(Path process) {
        byte[] environment;
        try {
            environment = Files.readAllBytes(process.resolve("environ"));
        } catch (IOException e) {
            return false; // gone, or another user's
        }
        int start = 0;
        for (int i = 0; i < environment.length; i++) {
            if (environment[i] == 0) {
                if (Arrays.equals(environment, start, i, mark, 0, mark.length)) {
                    return true;
                }
                start = i + 1;
            }
        }
        return false;
    }

    private void rest() throws InterruptedException {
        ProcessHandle next = known.iterator().next();
        try {
            next.onExit().get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // Still there.
        }
    }
}
