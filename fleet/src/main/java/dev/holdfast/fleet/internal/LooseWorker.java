package dev.holdfast.fleet.internal;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.EditResult;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.internal.Futures;
import dev.holdfast.model.Holder;
import dev.holdfast.model.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A worker of a fleet without a planner: looks at everything, and takes its share by itself. */
public final class LooseWorker implements Membership, Post.Terms {
    private final Setup setup;
    private final Post post;
    private final Slots slots;
    private final Pulse pulse;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    /** Units that this worker has decided to take, and not yet asked for. */
    private final Set<String> claims = new HashSet<>();

    private boolean leaving;
    private long takeNanos;

    public LooseWorker(Setup setup) {
        this.setup = setup;
        this.post = new Post(setup, this);
        this.slots = new Slots(post);
        this.pulse = new Pulse(setup);
        this.takeNanos = setup.runtime().nanos();
    }

    @Override
    public CompletableFuture<Void> join() {
        post.run(this::look);
        return joined;
    }

    private void look() {
        if (leaving) {
            return;
        }
        View view = new View();
        LeaseFilter units = LeaseFilter.namespacePrefix(setup.names().units());
        CompletionStage<Void> looking = Attempt.of(() -> Walk.over(setup.async(), units, view::add));
        Futures.whenDone(looking, (nothing, error) -> post.run(() -> looked(view, error)));
    }

    /** What there is. */
    private final class View {
        private final List<String> free = new ArrayList<>();
        private final Map<String, String> holders = new HashMap<>();
        private boolean any;

        void add(LeaseStatus status) {
            boolean exists = status.key().namespace().equals(setup.names().units()) && !LooseUnits.isDeleted(status);
            boolean unit = exists && status.state() != State.DONE;
            any |= exists;
            if (unit && status.isHeld()) {
                holders.put(
                        status.key().name(), status.holder().map(Holder::name).orElse(""));
            } else if (unit) {
                free.add(status.key().name());
            }
        }
    }

    private void looked(View view, @Nullable Throwable error) {
        if (error != null) {
            Throwable cause = Futures.cause(error);
            if (joined.completeExceptionally(cause)) {
                leaving = true;
                left.complete(null);
                return;
            }
            post.trouble("looking for units", cause);
        } else {
            if (joined.complete(null)) {
                pulse.joined();
                post.tell(() -> setup.listener().onJoined(setup.worker()));
                if (!view.any) {
                    new EmptyFleetCheck(setup, post).report();
                }
            }
            pulse.alive();
            slots.checkHeld(unit -> setup.worker().equals(view.holders.get(unit)));
            takeShare(view);
        }
        Duration look = setup.options().lookEvery();
        Duration plan = setup.options().planEvery();
        post.schedule(Duration.ofNanos(jittered(look.compareTo(plan) < 0 ? look : plan)), this::look);
    }

    /** So that workers that began together do not all look, and want the same, at the same moment. */
    private long jittered(Duration every) {
        return (long) (every.toNanos() * (0.9 + 0.2 * setup.runtime().random()));
    }

    /** Not with every look: a worker that has just been stolen from, or has died, needs time to show it. */
    private void takeShare(View view) {
        if (leaving || post.nanos() - takeNanos < 0) {
            return;
        }
        takeNanos = post.nanos() + jittered(setup.options().planEvery());
        slots.dropIdle(RevokeReason.MOVED);
        view.free.removeIf(slots::has);
        int stealMost = Math.max(1, setup.options().maxMoves());
        Grab.Limits limits = new Grab.Limits(slots.size(), setup.capacity(), stealMost);
        Random random = new Random((long) (setup.runtime().random() * Long.MAX_VALUE));
        Grab grab = Grab.decide(view.free, view.holders, setup.worker(), limits, random);
        grab.take().forEach(this::take);
        grab.steal().forEach(this::steal);
    }

    private void take(String unit) {
        if (!leaving) {
            claims.add(unit);
            slots.take(unit);
        }
    }

    private void steal(String unit) {
        String reason =
                setup.worker() + " takes its share of fleet " + setup.names().fleet();
        Futures.whenDone(
                Attempt.of(() -> setup.async().evict(setup.names().unit(unit), reason)),
                (result, error) -> post.run(() -> {
                    if (result instanceof EditResult.Changed) {
                        take(unit);
                    } else if (error != null) {
                        post.trouble("stealing " + unit, Futures.cause(error));
                    }
                }));
    }

    @Override
    public CompletableFuture<Void> leave() {
        post.run(() -> {
            if (!leaving) {
                leaving = true;
                pulse.lost("closed");
                post.schedule(setup.options().closeDeadline(), () -> left.complete(null));
                slots.stopAll(RevokeReason.CLOSING);
                changed();
            }
        });
        return left;
    }

    @Override
    public List<Unit> held() {
        return post.held();
    }

    @Override
    public FleetHealth health() {
        FleetHealth health = pulse.health();
        return health.isHealthy() ? post.health() : health;
    }

    @Override
    public boolean mayAsk(String unit) {
        return claims.contains(unit);
    }

    @Override
    public boolean mayStart() {
        return !leaving;
    }

    @Override
    public CompletionStage<AcquireResult> ask(String unit) {
        claims.remove(unit);
        AcquireOptions options =
                AcquireOptions.defaults().term(setup.options().term()).holder(setup.worker());
        return setup.async().tryAcquire(setup.names().unit(unit), options);
    }

    /** It is not renewed, and so ends by itself. */
    @Override
    public CompletionStage<Void> reclaim(String unit) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean isUnit(Lease lease) {
        return true;
    }

    /** Others take the unit when its term is over, so work on it must have stopped by then. */
    @Override
    public void starting(Slot slot, Lease lease) {
        lease.onExpiring(setup.options().term().dividedBy(3), () -> post.run(() -> slot.expiring(lease)));
    }

    @Override
    public void changed() {
        if (leaving && slots.isEmpty()) {
            left.complete(null);
        }
    }

    @Override
    public void urgent() {}

    @Override
    public Duration leastRest() {
        return Duration.ZERO;
    }

    @Override
    public void forget(Slot slot) {
        slots.forget(slot);
        changed();
    }
}
