package dev.holdfast.chaos.client;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.HoldfastException;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.chaos.resource.ResourceSession;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The routines of a worker thread: short uses of one key, as applications make them. */
final class LeaseRoutines {
    private static final int LOOKS_AFTER_THE_END_MAX = 60;

    private final RecordedCalls calls;
    private final ResourceSession resource;
    private final HarnessLink link;
    private final Random random;
    private final int termMillis;

    LeaseRoutines(RecordedCalls calls, ResourceSession resource, HarnessLink link, Random random, int termMillis) {
        this.calls = calls;
        this.resource = resource;
        this.link = link;
        this.random = random;
        this.termMillis = termMillis;
    }

    private boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    private void pause(int mostMillis) throws InterruptedException {
        Thread.sleep(random.nextInt(mostMillis));
    }

    private Duration wait(double waiting) {
        return chance(waiting) ? Duration.ofMillis(200 + random.nextInt(termMillis * 3 / 2)) : Duration.ZERO;
    }

    private AcquireOptions options(boolean renewed) {
        Duration term = Duration.ofMillis(termMillis + random.nextInt(termMillis / 2));
        return AcquireOptions.defaults().term(term).autoRenew(renewed);
    }

    /** A lock that the library renews. */
    void renewedLock() throws InterruptedException {
        Key key = WorkloadKeys.lock(link.epoch(), random);
        RecordedLease lease = calls.acquire(key, options(true), wait(0.4));
        if (lease != null) {
            use(lease, false);
            lease.release();
        }
    }

    /** A lock that the routine renews itself, or leaves to its end. */
    void unrenewedLock() throws InterruptedException {
        Key key = WorkloadKeys.lock(link.epoch(), random);
        RecordedLease lease = calls.acquire(key, options(false), wait(0.4));
        if (lease == null) {
            return;
        }
        use(lease, true);
        if (chance(0.35)) {
            outlive(lease);
        } else {
            lease.release();
        }
    }

    private void use(RecordedLease lease, boolean renewing) throws InterruptedException {
        int steps = 1 + random.nextInt(chance(0.2) ? 12 : 4);
        for (int i = 0; i < steps && step(lease, renewing); i++) {
            pause(chance(0.1) ? 1000 : 120);
        }
    }

    /** Takes one step; false once the lease is not held any more. */
    private boolean step(RecordedLease lease, boolean renewing) throws InterruptedException {
        int dice = random.nextInt(100);
        if (dice < 30) {
            return lease.believes();
        } else if (dice < 65) {
            return lease.isHeld() && !lease.write(resource, this::briefly).equals("rejected");
        } else if (dice < 80) {
            return !lease.update().equals("lost");
        } else if (dice < 85) {
            calls.get(lease.key());
            return true;
        }
        return renewing ? !lease.renew().equals("lost") : lease.believes();
    }

    /** The time between the two steps of a write. */
    private void briefly() {
        try {
            Thread.sleep(40);
            pause(chance(0.3) ? 400 : 60);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks on until the lease ends with its term, then perhaps tries to go on with it. */
    private void outlive(RecordedLease lease) throws InterruptedException {
        for (int i = 0; i < LOOKS_AFTER_THE_END_MAX && lease.believes(); i++) {
            Thread.sleep(100);
        }
        // A successor may be granted the key meanwhile.
        pause(termMillis);
        lease.believes();
        switch (random.nextInt(5)) {
            case 0 -> lease.renew();
            case 1 -> lease.release();
            case 2 -> lease.update();
            default -> {}
        }
    }

    /** A key whose work is done once. */
    void processOnce() throws InterruptedException {
        Key key = WorkloadKeys.once(link.epoch(), random);
        RecordedLease lease = calls.acquire(key, options(chance(0.5)), wait(0.3));
        if (lease == null) {
            return;
        }
        pause(300);
        boolean worked = lease.believes() && chance(0.8) && lease.work(resource).equals("ok");
        pause(200);
        if (worked) {
            lease.done();
        } else {
            lease.release();
        }
    }

    /** A lock that is held by its token only, as by a command that has ended. */
    void lockByToken() throws InterruptedException {
        Key key = WorkloadKeys.lock(link.epoch(), random);
        RecordedLease lease = calls.acquire(key, options(false), Duration.ZERO);
        @Nullable Token secret = lease == null ? null : detached(lease);
        if (lease == null || secret == null) {
            return;
        }
        int steps = random.nextInt(4);
        for (int i = 0; i < steps; i++) {
            pause(chance(0.1) ? termMillis * 3 / 2 : 500);
            String answer = chance(0.5) ? lease.renewBy(secret) : lease.updateBy(secret);
            if (answer.equals("lost")) {
                return;
            }
        }
        if (chance(0.8)) {
            lease.releaseBy(secret);
        }
    }

    private static @Nullable Token detached(RecordedLease lease) {
        try {
            return lease.detach();
        } catch (HoldfastException e) {
            return null;
        }
    }

    /** A lock under the anchor of the process. */
    void anchoredLock(Anchor anchor) throws InterruptedException {
        Key key = WorkloadKeys.anchored(link.epoch(), random);
        RecordedLease lease =
                calls.acquire(key, AcquireOptions.defaults().term(anchor.term()).under(anchor), wait(0.4));
        if (lease != null) {
            use(lease, false);
            lease.release();
        }
    }

    /** Reads one key, or all of an epoch. */
    void look() throws InterruptedException {
        if (chance(0.7)) {
            calls.get(WorkloadKeys.any(link.epoch(), random));
        } else {
            calls.list(WorkloadKeys.lock(link.epoch(), random).name());
        }
    }

    /** An operator's rare interventions. */
    void operate() throws InterruptedException {
        if (chance(0.5)) {
            calls.reopen(WorkloadKeys.once(link.epoch(), random));
        } else {
            calls.evict(WorkloadKeys.evicted(link.epoch()));
        }
    }
}
