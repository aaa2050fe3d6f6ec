package dev.holdfast.cli.run;

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
 * A child process and all processes that it started. Java can neither create nor signal a process group, and in a group
 * of its own the child would lose the terminal. So the processes are found one by one: as descendants, and on Linux
 * also by the mark in their environment, which finds processes with a dead parent.
 */
final class ProcessTree {
    private static final long POLL_MILLIS = 50;

    /** Longer, because each poll reads the environment of every process of the machine, and the wait may take days. */
    private static final long SLOW_POLL_MILLIS = 500;

    private static final int KILLS = 20;

    private final ProcessHandle child;
    private final byte[] mark;
    private final Path proc;
    private final Set<ProcessHandle> known = new LinkedHashSet<>();

    /** @param mark {@code NAME=VALUE}, an environment variable that is unique to this child */
    ProcessTree(ProcessHandle child, String mark) {
        this(child, mark, Path.of("/proc"));
    }

    ProcessTree(ProcessHandle child, String mark, Path proc) {
        this.child = child;
        this.mark = mark.getBytes(UTF_8);
        this.proc = proc;
    }

    /**
     * Sends SIGTERM to all processes, and SIGKILL to the remaining ones after {@code grace}. A process that was started
     * after the SIGTERM is not signalled before that: it may be a clean-up.
     */
    void end(Duration grace) throws InterruptedException {
        long deadline = System.nanoTime() + grace.toNanos();
        findAlive();
        known.forEach(ProcessHandle::destroy);
        while (findAlive() && deadline - System.nanoTime() > 0) {
            pause();
        }
        // Repeated, because a process may have started another one just before it was killed.
        for (int i = 0; i < KILLS && findAlive(); i++) {
            known.forEach(ProcessHandle::destroyForcibly);
            pause();
        }
    }

    /** Waits until all processes have ended, or {@code cancelled} is complete. */
    void awaitEnd(CompletableFuture<?> cancelled) throws InterruptedException {
        while (!cancelled.isDone() && findAlive()) {
            try {
                cancelled.get(SLOW_POLL_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                // Not cancelled: poll again.
            }
        }
    }

    /** Updates the set of live processes; returns false if none is left. */
    private boolean findAlive() {
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
            // Not Linux: only descendants are found.
        }
    }

    private boolean isMarked(Path process) {
        byte[] environment;
        try {
            environment = Files.readAllBytes(process.resolve("environ"));
        } catch (IOException e) {
            return false; // ended, or owned by another user
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

    private void pause() throws InterruptedException {
        ProcessHandle next = known.iterator().next();
        try {
            next.onExit().get(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // Still alive.
        }
    }
}
