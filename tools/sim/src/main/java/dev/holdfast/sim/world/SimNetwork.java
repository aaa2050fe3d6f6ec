package dev.holdfast.sim.world;

import dev.holdfast.StoreException;
import dev.holdfast.sim.world.FaultPlan.CallFault;
import dev.holdfast.store.Change;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The network between the processes and the store. It delays, duplicates, reorders and loses calls. A caller without a
 * response times out and does not know the outcome; its request may still arrive.
 */
public final class SimNetwork {
    private static final Duration FAST = Duration.ofMillis(1);
    private static final Duration SLOW = Duration.ofMillis(250);
    /** Longer than several terms: the request arrives after its caller has forgotten it. */
    private static final Duration VERY_LATE = Duration.ofSeconds(15);

    /** Longer than the longest term of the scenarios with this fault. */
    private static final Duration PAUSE = Duration.ofSeconds(4);

    /** The longest that a process waits for an answer of the store. */
    public static final Duration TIMEOUT = Duration.ofMillis(400);

    private final SimWorld world;
    private final SimStore store;
    private final EventTally tally;
    private Weather weather = Weather.CALM;
    private ExtraFaults faults = ExtraFaults.NONE;
    private @Nullable FaultPlan plan;

    /**
     * The probabilities of the network's faults.
     *
     * @param loss of losing a message, in each direction
     * @param duplication of sending a request twice
     * @param lateness of delivering a request after its caller has timed out
     * @param slowness of a slow message
     */
    public record Weather(double loss, double duplication, double lateness, double slowness) {
        static final Weather CALM = new Weather(0, 0, 0, 0);
    }

    public SimNetwork(SimWorld world, SimStore store, EventTally tally) {
        this.world = world;
        this.store = store;
        this.tally = tally;
    }

    void setWeather(Weather weather) {
        this.weather = weather;
    }

    public void setFaults(ExtraFaults faults) {
        this.faults = faults;
    }

    /** Lets {@code newPlan} choose the faults of all calls from now on. */
    public void setPlan(FaultPlan newPlan) {
        plan = newPlan;
    }

    ExtraFaults faults() {
        return faults;
    }

    /** Sends a batch, sometimes after a pause between the decision and the send. */
    CompletableFuture<List<WriteOutcome>> apply(SimProcess caller, List<Change> changes) {
        // Where requests are duplicated, no single copy can report "not applied".
        boolean isKnown = weather.duplication == 0;
        Supplier<List<WriteOutcome>> work = () -> store.apply(caller, changes, faults.rowTrouble(), isKnown);
        StoreRequest request = new StoreRequest.Write(changes);
        if (plan != null) {
            return planned(caller, request, work, SimNetwork::sentTwice, plan.next(caller));
        }
        if (!world.extraChance(faults.sendPause())) {
            return call(caller, request, work, SimNetwork::sentTwice);
        }
        tally.fault();
        CompletableFuture<List<WriteOutcome>> response = new CompletableFuture<>();
        caller.pause(world.extraBetween(FAST, PAUSE));
        caller.after(
                0,
                () -> Futures.whenDone(call(caller, request, work, SimNetwork::sentTwice), (outcomes, error) -> {
                    if (outcomes != null) {
                        response.complete(outcomes);
                    } else {
                        response.completeExceptionally(Futures.cause(Objects.requireNonNull(error)));
                    }
                }));
        return response;
    }

    /** Sends a notification to one life of a process: delayed, twice, or not at all. */
    void notify(SimProcess process, long life, Runnable wake) {
        int copies = world.extraChance(0.2) ? 0 : world.extraChance(0.2) ? 2 : 1;
        if (copies != 1) {
            tally.fault();
        }
        for (int i = 0; i < copies && process.life() == life && !process.isCutOff(); i++) {
            process.after(world.extraBetween(Duration.ZERO, world.extraChance(0.1) ? SLOW : FAST), wake);
        }
    }

    /** Hides conflicts of a request that was sent twice: each may come from the other copy. */
    private static List<WriteOutcome> sentTwice(List<WriteOutcome> outcomes) {
        return outcomes.stream()
                .map(outcome -> outcome instanceof WriteOutcome.Conflict
                        ? new WriteOutcome.Failed(StoreException.unknown("sent twice", null))
                        : outcome)
                .toList();
    }

    <T> CompletableFuture<T> call(SimProcess caller, StoreRequest request, Supplier<T> work) {
        return plan != null
                ? planned(caller, request, work, UnaryOperator.identity(), plan.next(caller))
                : call(caller, request, work, UnaryOperator.identity());
    }

    /** A call with a chosen fault. */
    private <T> CompletableFuture<T> planned(
            SimProcess caller, StoreRequest request, Supplier<T> work, UnaryOperator<T> sentTwice, CallFault fault) {
        CompletableFuture<T> response = new CompletableFuture<>();
        long life = caller.life();
        if (fault == CallFault.PAUSE_BEFORE) {
            caller.pause(PAUSE.toNanos());
        }
        caller.after(0, () -> {
            long number = recorder().called(caller, request);
            Runnable timeout = caller.after(TIMEOUT.toNanos(), () -> timeOut(number, response));
            NetworkCall<T> call = new NetworkCall<>(
                    caller, life, number, work, sentTwice, response, timeout, fault == CallFault.TWICE);
            boolean isAnswered = fault != CallFault.ANSWER_LOST;
            switch (caller.isCutOff() ? CallFault.REQUEST_LOST : fault) {
                case REQUEST_LOST -> recorder().requestLost(recorder().requestSent(number));
                case REQUEST_LATE -> arriveAfter(TIMEOUT.plus(FAST), call, isAnswered);
                case REQUEST_VERY_LATE -> arriveAfter(PAUSE, call, isAnswered);
                case TWICE -> {
                    arriveAfter(FAST, call, isAnswered);
                    arriveAfter(PAUSE, call, isAnswered);
                }
                default -> arriveAfter(FAST, call, isAnswered);
            }
            if (fault == CallFault.PAUSE_AFTER) {
                caller.pause(PAUSE.toNanos());
            } else if (fault == CallFault.CUT_OFF) {
                caller.cutOff(PAUSE.toNanos());
            } else if (fault == CallFault.CRASH) {
                caller.crash();
                world.after(SLOW.toNanos(), caller::start);
            }
        });
        return response;
    }

    private void arriveAfter(Duration delay, NetworkCall<?> call, boolean isAnswered) {
        long message = recorder().requestSent(call.number);
        world.after(delay.toNanos(), () -> {
            recorder().requestArrived(message);
            if (isAnswered) {
                work(call, message);
            } else {
                workOnly(call);
                recorder().answerLost(message);
            }
        });
    }

    private void timeOut(long number, CompletableFuture<?> response) {
        // The timer of a process that was paused may run after the answer.
        if (!response.isDone()) {
            recorder().timedOut(number);
        }
        response.completeExceptionally(StoreException.unknown("no response", null));
    }

    private RunRecorder recorder() {
        return world.recorder();
    }

    private static void workOnly(NetworkCall<?> call) {
        try {
            Object unused = call.work.get();
        } catch (StoreException rejected) {
            // The caller never learns of it.
        }
    }

    private <T> CompletableFuture<T> call(
            SimProcess caller, StoreRequest request, Supplier<T> work, UnaryOperator<T> sentTwice) {
        CompletableFuture<T> response = new CompletableFuture<>();
        long number = recorder().called(caller, request);
        Runnable timeout = caller.after(TIMEOUT.toNanos(), () -> timeOut(number, response));
        NetworkCall<T> call = new NetworkCall<>(
                caller, caller.life(), number, work, sentTwice, response, timeout, hit(weather.duplication));
        request(call);
        if (call.twice) {
            request(call);
        }
        return response;
    }

    /**
     * A call in transit.
     *
     * @param life the life of the caller that made the call
     * @param number the number that the recorder gave to the call
     * @param sentTwice changes the response if the request was sent twice
     * @param twice whether the request was sent twice: then no single copy can report "not applied"
     */
    private record NetworkCall<T>(
            SimProcess caller,
            long life,
            long number,
            Supplier<T> work,
            UnaryOperator<T> sentTwice,
            CompletableFuture<T> response,
            Runnable timeout,
            boolean twice) {}

    private <T> void request(NetworkCall<T> call) {
        long message = recorder().requestSent(call.number);
        if (call.caller.isCutOff() || hit(weather.loss)) {
            recorder().requestLost(message);
            return;
        }
        long delay = hit(weather.lateness) ? world.between(TIMEOUT, VERY_LATE) : delay();
        world.after(delay, () -> {
            recorder().requestArrived(message);
            if (!store.isDown()) {
                work(call, message);
            } else if (!call.twice && world.chance(0.5)) {
                // A store that is down sends an error half of the time, and otherwise no response.
                StoreException down = StoreException.notApplied("the store is down", null);
                reply(call, message, down, () -> call.response.completeExceptionally(down));
            } else {
                recorder().answerLost(message);
            }
        });
    }

    private <T> void work(NetworkCall<T> call, long message) {
        T result;
        try {
            T response = call.work.get();
            result = call.twice ? call.sentTwice.apply(response) : response;
        } catch (StoreException rejected) {
            reply(call, message, rejected, () -> call.response.completeExceptionally(rejected));
            return;
        }
        reply(call, message, result, () -> call.response.complete(result));
    }

    private <T> void reply(NetworkCall<T> call, long message, @Nullable Object answer, Runnable delivery) {
        recorder().answerSent(message, answer);
        // Only to the life that sent the request: after a restart the process no longer knows of it.
        if (call.caller.life() == call.life && !call.caller.isCutOff() && !hit(weather.loss)) {
            call.caller.after(delay(), () -> {
                recorder().answerDelivered(message);
                call.timeout.run();
                delivery.run();
            });
        } else {
            recorder().answerLost(message);
        }
    }

    private long delay() {
        return world.chance(weather.slowness) ? world.between(FAST, SLOW) : world.between(Duration.ZERO, FAST);
    }

    private boolean hit(double probability) {
        boolean hit = probability > 0 && world.chance(probability);
        if (hit) {
            tally.fault();
        }
        return hit;
    }
}
