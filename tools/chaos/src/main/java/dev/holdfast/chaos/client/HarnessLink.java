package dev.holdfast.chaos.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a client process with the harness: one line for each call, which the harness acknowledges before the call
 * begins, and one for each answer. Nothing else writes to the standard output.
 */
final class HarnessLink {
    private final OutputStream out;
    private final LongSupplier clock;
    private final AtomicLong lastCall = new AtomicLong();
    private final Map<Long, CountDownLatch> waiting = new ConcurrentHashMap<>();
    private final CountDownLatch draining = new CountDownLatch(1);
    private volatile int epoch;

    private HarnessLink(OutputStream out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
    }

    /**
     * Takes the standard output for the protocol; every other print goes to the standard error.
     *
     * @param clock the client's own monotonic clock
     */
    static HarnessLink open(LongSupplier clock) {
        HarnessLink link = new HarnessLink(new FileOutputStream(FileDescriptor.out), clock);
        System.setOut(System.err);
        Thread reader = new Thread(link::readCommands, "chaos-commands");
        reader.setDaemon(true);
        reader.start();
        return link;
    }

    private void readCommands() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(new FileInputStream(FileDescriptor.in), UTF_8))) {
            for (@Nullable String line = in.readLine(); line != null; line = in.readLine()) {
                obey(line);
            }
        } catch (IOException e) {
            System.err.println("the harness cannot be read: " + e);
        }
        // Without a harness the calls would not be recorded.
        Runtime.getRuntime().halt(3);
    }

    private void obey(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "go" -> {
                CountDownLatch latch = waiting.remove(Long.parseLong(words[1]));
                if (latch != null) {
                    latch.countDown();
                }
            }
            case "epoch" -> epoch = Integer.parseInt(words[1]);
            case "drain" -> draining.countDown();
            default -> System.err.println("unknown command: " + line);
        }
    }

    /** The number of the current epoch, which is part of the names of all keys. */
    int epoch() {
        return epoch;
    }

    boolean isDraining() {
        return draining.getCount() == 0;
    }

    /** A call that no other call of this life of the client has the number of. */
    long nextCall() {
        return lastCall.incrementAndGet();
    }

    /** Announces a call, and returns when the harness has stamped it. */
    void call(long call, String fields) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        waiting.put(call, latch);
        send(call + " call " + fields + " clock=" + clock.getAsLong());
        latch.await();
    }

    void answer(long call, String fields) {
        send(call + " answer " + fields + " clock=" + clock.getAsLong());
    }

    /** Says that the client has ended all its calls. */
    void drained() {
        send("0 drained");
    }

    /** The sign at the end distinguishes a whole line from the rest of one that a kill cut. */
    private synchronized void send(String line) {
        try {
            out.write((line + ";\n").getBytes(UTF_8));
            out.flush();
        } catch (IOException e) {
            Runtime.getRuntime().halt(3);
        }
    }
}
