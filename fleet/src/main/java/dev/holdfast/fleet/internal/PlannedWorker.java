package dev.holdfast.fleet.internal;

import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Lease;
import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.internal.Futures;
import dev.holdfast.model.LostReason;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A worker of a fleet with a planner: holds an anchor, follows what the planner wrote for it, and says how far it got.
 * When it loses its anchor it has lost its units with it; it stops, and joins again.
 */
public final class PlannedWorker implements Membership, Post.Terms {
    private final Setup setup;
    private final Post post;
    private final Slots slots;
    private final Mailbox mailbox;
    private final Reporter reporter;
    private final JoinNotice joinNotice;
    private final Planning planning;
    private final Pulse pulse;
    private final PlannerCheck plannerCheck;
    private final Asking asking;
    private final Poller poller;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private @Nullable Anchor anchor;
    private @Nullable CompletableFuture<Anchor> joining;
    private Revision newest = Revision.NONE;
    private Revision applied = Revision.NONE;
    private boolean expiring;
    private boolean leaving;
    private boolean pastDeadline;
    private boolean gone;
    private int failedJoins;

    public PlannedWorker(Setup setup) {
        this.setup = setup;
        this.post = new Post(setup, this);
        this.slots = new Slots(post);
        this.mailbox = new Mailbox(setup);
        this.reporter = new Reporter(post);
        this.joinNotice = new JoinNotice(setup, post);
        this.poller = new Poller(post, this::look);
        this.planning = new Planning(setup, post, poller::now);
        this.pulse = new Pulse(setup);
        this.plannerCheck = new PlannerCheck(setup, pulse);
        this.asking = new Asking(setup, post, slots::goOn);
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
        CompletableFuture<Anchor> asked = Attempt.of(() -> setup.async()
                .anchor(
                        setup.names().anchorHolder(setup.worker()),
                        setup.options().term()));
        joining = asked;
        Futures.whenDone(asked, (got, error) -> post.run(() -> anchored(got, error)));
    }

    private void anchored(@Nullable Anchor got, @Nullable Throwable error) {
        joining = null;
        if (got == null) {
            Throwable cause = Futures.cause(Objects.requireNonNull(error));
            if (!joined.completeExceptionally(cause) && !leaving) {
                post.trouble("joining again", cause);
                Duration rest = setup.options().backoff(++failedJoins);
                post.schedule(rest, this::askForAnchor);
            }
            return;
        }
        if (leaving) {
            Futures.whenDone(got.releaseAsync(), (released, trouble) -> post.run(this::finishIfEmpty));
            return;
        }
        anchor = got;
        failedJoins = 0;
        expiring = false;
        reporter.reset();
        joinNotice.joined();
        pulse.joined();
        got.onLost(reason -> post.run(() -> anchorLost(got, reason)));
        got.onExpiring(setup.options().term().dividedBy(3), () -> post.run(() -> anchorExpiring(got)));
        post.tell(() -> setup.listener().onJoined(setup.worker()));
        if (joined.complete(null)) {
            new EmptyFleetCheck(setup, post).look();
        }
        planning.begin(got);
        poller.now();
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

    private CompletionStage<Void> look() {
        Anchor under = anchor;
        if (under == null) {
            return CompletableFuture.completedFuture(null); // A new anchor looks by itself.
        }
        if (expiring && under.remaining().compareTo(setup.options().term().dividedBy(2)) > 0) {
            expiring = false;
        }
        CompletableFuture<Void> seen = new CompletableFuture<>();
        Futures.whenDone(
                Attempt.of(mailbox::read),
                (mail, error) -> post.run(() -> {
                    seen.complete(null);
                    if (anchor == under) {
                        looked(mail, error);
                    }
                }));
        return seen;
    }

    private void looked(Mailbox.@Nullable Mail mail, @Nullable Throwable error) {
        if (mail == null) {
            post.trouble("looking for units", error == null ? null : Futures.cause(error));
        } else {
            pulse.answered();
            follow(mail);
            joinNotice.giveIfDue(mail.planned());
        }
        slots.goOn();
        report();
        finishIfEmpty();
        plannerCheck.lookIfDue();
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

    private void report() {
        Anchor under = anchor;
        if (under != null && !gone) {
            // A planner in this process can plan the leaving right away, once it can see it.
            Runnable then = leaving ? planning::kick : () -> {};
            reporter.write(
                    under,
                    then,
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
        if (joining != null) {
            joining.cancel(false);
        }
        report();
        Duration most = setup.options().closeDeadline();
        post.schedule(patience(most), () -> slots.stopAll(RevokeReason.CLOSING));
        post.schedule(most, this::leaveLate);
        finishIfEmpty();
    }

    /** How long others are waited for: half of the time, or less where stopping needs more than the other half. */
    private Duration patience(Duration most) {
        Duration half = most.dividedBy(2);
        Duration spare = most.minus(setup.options().revokeDeadline());
        Duration patience = spare.compareTo(half) < 0 ? spare : half;
        return patience.isNegative() ? Duration.ZERO : patience;
    }

    /**
     * Waits for nothing more. Only work that has not begun to stop, or that is within its deadline, keeps its unit, and so
     * the anchor: to let go of that would let two workers work on it.
     */
    private void leaveLate() {
        pastDeadline = true;
        pulse.lost("closed");
        slots.stopAll(RevokeReason.CLOSING);
        finishIfEmpty();
        if (!gone) {
            left.complete(null);
        }
    }

    private void finishIfEmpty() {
        if (leaving && (slots.areIdle() || (pastDeadline && !slots.areAtWork()))) {
            finish();
        }
    }

    private void finish() {
        if (gone) {
            return;
        }
        gone = true;
        poller.stop();
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
        FleetHealth health = pulse.health();
        return health.isHealthy() ? post.health() : health;
    }

    @Override
    public boolean mayAsk(String unit) {
        return mayStart() && !leaving && asking.mayAsk(unit);
    }

    @Override
    public boolean mayStart() {
        return anchor != null && anchor.isHeld() && !expiring && !gone;
    }

    @Override
    public CompletionStage<AcquireResult> ask(String unit) {
        return asking.ask(unit, Objects.requireNonNull(anchor));
    }

    @Override
    public CompletionStage<Void> reclaim(String unit) {
        return Reclaim.of(setup.async(), setup.names().unit(unit), anchor);
    }

    /** One that was deleted meanwhile would come back to life by being granted. What is free again is nobody's. */
    @Override
    public boolean isUnit(Lease lease) {
        return lease.attributes().get(Marks.UNIT).isPresent()
                && !lease.attributes().bool(Marks.DELETING).orElse(false);
    }

    /** The anchor is what ends: see {@link #anchorExpiring}. */
    @Override
    public void starting(Slot slot, Lease lease) {}

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
