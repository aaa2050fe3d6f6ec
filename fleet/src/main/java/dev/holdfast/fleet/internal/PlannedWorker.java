package dev.holdfast.fleet.internal;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Lease;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.internal.Futures;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A worker of a fleet with a planner: holds an anchor, follows what the planner wrote for it, and says how far it got.
 * When it loses its anchor it has lost its units with it; it stops, and joins again.
 */
public final class PlannedWorker implements Membership, Post.Terms {
    /** Waiting for a unit is renewed now and then only so that no wait is without end. */
    private static final Duration ASK_ROUND = Duration.ofMinutes(1);

    private final Setup setup;
    private final Post post;
    private final Slots slots;
    private final Mailbox mailbox;
    private final Reporter reporter;
    private final Planning planning;
    private final Pulse pulse;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private @Nullable Anchor anchor;
    private @Nullable CompletableFuture<Anchor> joining;
    private Runtime.@Nullable Timer nextPoll;
    private Revision newest = Revision.NONE;
    private Revision applied = Revision.NONE;
    private boolean polling;
    private boolean pollAgain;
    private boolean expiring;
    private boolean leaving;
    private boolean gone;
    private int failedJoins;
    private long plannerSeenNanos;

    public PlannedWorker(Setup setup) {
        this.setup = setup;
        this.post = new Post(setup, this);
        this.slots = new Slots(post);
        this.mailbox = new Mailbox(setup);
        this.reporter = new Reporter(post);
        this.planning = new Planning(setup, post, this::pollNow);
        this.pulse = new Pulse(setup);
        this.plannerSeenNanos = post.nanos();
    }

    @Override
    public CompletableFuture<Void> join() {
        post.run(this::askForAnchor);
        return joined;
    }

    private void askForAnchor() {
        if (gone || leaving) {
            return;
        }
        CompletableFuture<Anchor> asked;
        try {
            asked = setup.async()
                    .anchor(
                            setup.names().anchorHolder(setup.worker()),
                            setup.options().term())
                    .toCompletableFuture();
        } catch (IllegalStateException e) {
            asked = CompletableFuture.failedFuture(e); // The client was closed before the fleet was.
            gone = true;
        }
        joining = asked;
        Futures.whenDone(asked, (got, error) -> post.run(() -> anchored(got, error)));
    }

    private void anchored(@Nullable Anchor got, @Nullable Throwable error) {
        joining = null;
        if (got == null) {
            Throwable cause = Futures.cause(Objects.requireNonNull(error));
            if (!joined.completeExceptionally(cause)) {
                post.trouble("joining again", cause);
                Duration rest = setup.options().backoff(++failedJoins);
                post.schedule(rest, this::askForAnchor);
            }
            return;
        }
        if (leaving) {
            Futures.whenDone(got.releaseAsync(), (released, trouble) -> left.complete(null));
            return;
        }
        anchor = got;
        failedJoins = 0;
        expiring = false;
        reporter.reset();
        pulse.joined();
        got.onLost(reason -> post.run(() -> anchorLost(got, reason)));
        got.onExpiring(setup.options().term().dividedBy(3), () -> post.run(() -> anchorExpiring(got)));
        post.tell(() -> setup.listener().onJoined(setup.worker()));
        joined.complete(null);
        planning.begin(got);
        pollNow();
    }

    /** Two renewals have not got through: what is still under way must be over when the term is. */
    private void anchorExpiring(Anchor which) {
        if (anchor == which) {
            expiring = true;
            slots.interruptAll(RevokeReason.EXPIRING);
        }
    }

    private void anchorLost(Anchor which, LostReason reason) {
        if (anchor != which) {
            return;
        }
        anchor = null;
        applied = Revision.NONE;
        pulse.lost("out of the fleet: " + reason);
        planning.end();
        slots.stopAll(RevokeReason.LOST);
        post.tell(() -> setup.listener().onLost(setup.worker(), reason.toString()));
        if (leaving) {
            finishIfEmpty();
        } else {
            askForAnchor();
        }
    }

    private void pollNow() {
        if (nextPoll != null) {
            nextPoll.cancel();
        }
        poll();
    }

    private void poll() {
        Anchor under = anchor;
        if (under == null || gone) {
            return;
        }
        if (polling) {
            pollAgain = true;
            return;
        }
        if (expiring && under.remaining().compareTo(setup.options().term().dividedBy(2)) > 0) {
            expiring = false;
        }
        polling = true;
        pollAgain = false;
        Futures.whenDone(mailbox.read(), (mail, error) -> post.run(() -> polled(under, mail, error)));
    }

    private void polled(Anchor under, Mailbox.@Nullable Mail mail, @Nullable Throwable error) {
        polling = false;
        if (anchor != under || gone) {
            // A new anchor polls by itself; this answer is about what was before.
            if (anchor != null) {
                poll();
            }
            return;
        }
        if (mail == null) {
            post.trouble("looking for units", error == null ? null : Futures.cause(error));
        } else {
            pulse.answered();
            follow(mail);
        }
        slots.goOn();
        report();
        finishIfEmpty();
        boolean now = pollAgain;
        Duration poll = setup.options().poll();
        long jittered = (long) (poll.toNanos() * (0.9 + 0.2 * setup.runtime().random()));
        nextPoll = now ? null : post.schedule(Duration.ofNanos(jittered), this::poll);
        if (now) {
            poll();
        }
        lookAtPlanner();
    }

    private void follow(Mailbox.Mail mail) {
        Mailbox.Assigned assigned = mail.assigned();
        boolean standby = assigned != null && assigned.standby();
        if (assigned != null
                && assigned.revision().compareTo(newest) >= 0
                && !assigned.revision().equals(applied)) {
            newest = assigned.revision();
            applied = newest;
            slots.want(assigned.units(), leaving ? RevokeReason.CLOSING : RevokeReason.MOVED);
        }
        planning.see(mail.planned(), standby && !leaving);
    }

    /** Now and then: whether the planner still plans. */
    private void lookAtPlanner() {
        if (post.nanos() - plannerSeenNanos < setup.options().term().toNanos()) {
            return;
        }
        plannerSeenNanos = post.nanos();
        Futures.whenDone(setup.async().get(setup.names().planner()), (found, error) -> {
            if (found != null) {
                notePlanner(found);
            }
        });
    }

    private void notePlanner(Optional<LeaseStatus> found) {
        Attributes says = found.map(LeaseStatus::attributes).orElse(Attributes.NONE);
        pulse.planned(found.map(LeaseStatus::isHeld).orElse(false), Marks.number(says, "at"));
    }

    private void report() {
        Anchor under = anchor;
        if (under != null && !gone) {
            reporter.write(
                    under,
                    new Report(
                            applied,
                            post.heldCount(),
                            slots.waiting(),
                            setup.capacity(),
                            leaving,
                            slots.finished(),
                            slots.resting()));
        }
    }

    @Override
    public CompletableFuture<Void> leave() {
        post.run(this::beginToLeave);
        return left;
    }

    /**
     * Says that it is leaving, and goes on until the planner has given its units to others, who then wait for them. If
     * that takes long, it stops all the same.
     */
    private void beginToLeave() {
        if (leaving) {
            return;
        }
        leaving = true;
        joined.completeExceptionally(new IllegalStateException("closed before it had joined"));
        if (joining != null && joining.cancel(false)) {
            gone = true;
            left.complete(null);
            return;
        }
        report();
        planning.kick();
        Duration most = setup.options().closeDeadline();
        post.schedule(most.dividedBy(2), () -> slots.stopAll(RevokeReason.CLOSING));
        post.schedule(most, this::finish);
        finishIfEmpty();
    }

    private void finishIfEmpty() {
        if (leaving && slots.isEmpty()) {
            finish();
        }
    }

    private void finish() {
        if (gone) {
            return;
        }
        gone = true;
        slots.stopAll(RevokeReason.CLOSING);
        planning.end();
        pulse.lost("closed");
        Anchor under = anchor;
        anchor = null;
        if (under == null) {
            left.complete(null);
            return;
        }
        Futures.whenDone(under.releaseAsync(), (released, error) -> {
            if (error != null) {
                post.trouble("leaving; the worker's term ends by itself", Futures.cause(error));
            }
            left.complete(null);
        });
    }

    @Override
    public List<Unit> held() {
        return post.held();
    }

    @Override
    public FleetHealth health() {
        return pulse.health();
    }

    @Override
    public boolean mayAsk(String unit) {
        return mayStart();
    }

    @Override
    public boolean mayStart() {
        return anchor != null && anchor.isHeld() && !expiring && !gone;
    }

    @Override
    public CompletionStage<AcquireResult> ask(String unit) {
        AcquireOptions options =
                AcquireOptions.defaults().under(Objects.requireNonNull(anchor)).holder(setup.worker());
        return setup.async().acquire(setup.names().unit(unit), options, ASK_ROUND);
    }

    @Override
    public CompletionStage<Void> reclaim(String unit) {
        return Reclaim.of(setup.async(), setup.names().unit(unit), anchor);
    }

    /** One that was deleted meanwhile would come back to life by being granted; so it is deleted once more. */
    @Override
    public boolean isUnit(Lease lease) {
        boolean is = lease.attributes().get(Marks.UNIT).isPresent()
                && !lease.attributes().bool(Marks.DELETING).orElse(false);
        if (!is) {
            Futures.whenDone(setup.async().delete(lease.key(), lease.token()), (result, error) -> {});
        }
        return is;
    }

    @Override
    public void changed() {
        finishIfEmpty();
    }

    @Override
    public void urgent() {
        report();
    }

    /** Until the planner has heard of it and given it to another, if there is one. */
    @Override
    public Duration leastRest() {
        return setup.options().poll().plus(setup.options().planEvery()).multipliedBy(3);
    }

    @Override
    public void forget(Slot slot) {
        slots.forget(slot);
        finishIfEmpty();
    }
}
