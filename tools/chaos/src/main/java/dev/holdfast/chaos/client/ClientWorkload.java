package dev.holdfast.chaos.client;

import dev.holdfast.Anchor;
import dev.holdfast.HoldfastException;
import dev.holdfast.chaos.resource.ProtectedFile;
import dev.holdfast.chaos.resource.ResourceSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The seeded workload of a client: several threads, each of which repeats random routines. */
final class ClientWorkload {
    private static final int THREADS = 4;

    private final ClientSettings settings;
    private final RecordedCalls calls;
    private final HarnessLink link;
    private @Nullable Anchor anchor;

    ClientWorkload(ClientSettings settings, RecordedCalls calls, HarnessLink link) {
        this.settings = settings;
        this.calls = calls;
        this.link = link;
    }

    /** Runs until the harness asks to drain. */
    void run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(settings.seed() * 31 + i);
            Thread thread = new Thread(() -> work(random), "chaos-worker-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @SuppressWarnings("IllegalCatch") // A worker that died unnoticed would leave the run without load.
    private void work(Random random) {
        try (ResourceSession resource = new ResourceSession(
                new ProtectedFile(settings.resource()), settings.name(), settings.guarded(), settings.originNanos())) {
            LeaseRoutines routines = new LeaseRoutines(calls, resource, link, random, settings.termMillis());
            while (!link.isDraining()) {
                once(routines, random);
                Thread.sleep(10 + random.nextInt(150));
            }
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(4);
        }
    }

    private void once(LeaseRoutines routines, Random random) throws InterruptedException {
        int dice = random.nextInt(100);
        if (dice < 28) {
            routines.renewedLock();
        } else if (dice < 52) {
            routines.unrenewedLock();
        } else if (dice < 72) {
            routines.processOnce();
        } else if (dice < 80) {
            routines.lockByToken();
        } else if (dice < 90) {
            Anchor current = anchor();
            if (current != null) {
                routines.anchoredLock(current);
            }
        } else if (dice < 99) {
            routines.look();
        } else {
            routines.operate();
        }
    }

    /** The anchor of this life; a new one if the last was lost, null if it cannot be had now. */
    private synchronized @Nullable Anchor anchor() {
        try {
            if (anchor == null || !anchor.isHeld()) {
                anchor = null;
                anchor = calls.leases().anchor(settings.name(), Duration.ofMillis(settings.termMillis() * 3L / 2));
            }
            return anchor;
        } catch (HoldfastException e) {
            return null;
        }
    }
}
