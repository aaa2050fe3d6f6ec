package dev.holdfast.sim.world;

import dev.holdfast.StoreException;
import dev.holdfast.internal.Futures;
import dev.holdfast.store.Change;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Carries calls between processes and the store: late, twice, out of order, or not at all. A caller that hears nothing
 * gives up after a while, and then does not know what happened; what it sent may still arrive.
 */
public final class SimNetwork {
    private static final Duration FAST = Duration.ofMillis(1);
    private static final Duration SLOW = Duration.ofMillis(250);
    /** Longer than several terms: it arrives when nobody remembers it. */
    private static final Duration VERY_LATE = Duration.ofSeconds(15);

    /** Longer than the longest term of the scenarios that have it. */
    private static final Duration PAUSE = Duration.ofSeconds(4);

    static final Duration TIMEOUT = Duration.ofMillis(400);

    private final SimWorld simWorld;
    private final SimStore store;
    private final EventTally eventTally;
    private Weather weather = Weather.CALM;
    private ExtraFaults faults = ExtraFaults.NONE;

    /**
     * How bad it is.
     *
     * @param loss of messages, each way
     * @param duplication of requests
     * @param lateness of requests that arrive when nobody remembers them
     * @param slowness of messages that take long
     */
    public record Weather(double loss, double duplication, double lateness, double slowness) {
        static final Weather CALM = new Weather(0, 0, 0, 0);
    }

    public SimNetwork(SimWorld simWorld, SimStore store, EventTally eventTally) {
        this.simWorld = simWorld;
        this.store = store;
        this.eventTally = eventTally;
    }

    void setWeather(Weather weather) {
        this.weather = weather;
    }

    public void setFaults(ExtraFaults faults) {
        this.faults = faults;
    }

    ExtraFaults faults() {
        return faults;
    }

    /** Sends a batch, perhaps after a pause that strikes between the decision and the send. */
    CompletableFuture<List<WriteOutcome>> apply(SimProcess caller, List<Change> changes) {
        // Where requests are doubled, no single copy can say "not applied".
        boolean isKnown = weather.duplication == 0;
        Supplier<List<WriteOutcome>> work = () -> store.apply(changes, faults.rowTrouble(), isKnown);
        if (!simWorld.extraChance(faults.sendPause())) {
            return call(caller, work, SimNetwork::sentTwice);
        }
        eventTally.fault();
        CompletableFuture<List<WriteOutcome>> answer = new CompletableFuture<>();
        caller.pause(simWorld.extraBetween(FAST, PAUSE));
        caller.after(
                0,
                () -> Futures.whenDone(call(caller, work, SimNetwork::sentTwice), (outcomes, error) -> {
                    if (outcomes != null) {
                        answer.complete(outcomes);
                    } else {
                        answer.completeExceptionally(Futures.cause(Objects.requireNonNull(error)));
                    }
                }));
        return answer;
    }

    /** Carries a notification to one life of a process: late, twice, or not at all. */
    void notify(SimProcess process, long life, Runnable wake) {
        int copies = simWorld.extraChance(0.2) ? 0 : simWorld.extraChance(0.2) ? 2 : 1;
        if (copies != 1) {
            eventTally.fault();
        }
        for (int i = 0; i < copies && process.life() == life && !process.isCutOff(); i++) {
            process.after(simWorld.extraBetween(Duration.ZERO, simWorld.extraChance(0.1) ? SLOW : FAST), wake);
        }
    }

    /** The outcomes that a store may report for a request that was sent twice: a conflict may come from the other copy. */
    private static List<WriteOutcome> sentTwice(List<WriteOutcome> outcomes) {
        return outcomes.stream()
                .map(writeOutcome -> writeOutcome instanceof WriteOutcome.Conflict
                        ? new WriteOutcome.Failed(StoreException.unknown("sent twice", null))
                        : writeOutcome)
                .toList();
    }

    <T> CompletableFuture<T> call(SimProcess caller, Supplier<T> work) {
        return call(caller, work, UnaryOperator.identity());
    }

    private <T> CompletableFuture<T> call(SimProcess caller, Supplier<T> work, UnaryOperator<T> sentTwice) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable timeout = caller.after(
                TIMEOUT.toNanos(), () -> answer.completeExceptionally(StoreException.unknown("no answer", null)));
        Call<T> call = new Call<>(caller, caller.life(), work, sentTwice, answer, timeout, hit(weather.duplication));
        request(call);
        if (call.twice) {
            request(call);
        }
        return answer;
    }

    /**
     * A call on its way.
     *
     * @param life of the caller that made it
     * @param sentTwice changes the answer if the request was sent twice
     * @param twice whether two copies of the request are on their way: then no single one can say "not applied"
     */
    private record Call<T>(
            SimProcess caller,
            long life,
            Supplier<T> work,
            UnaryOperator<T> sentTwice,
            CompletableFuture<T> answer,
            Runnable timeout,
            boolean twice) {}

    private <T> void request(Call<T> call) {
        if (call.caller.isCutOff() || hit(weather.loss)) {
            return;
        }
        long delay = hit(weather.lateness) ? simWorld.between(TIMEOUT, VERY_LATE) : delay();
        simWorld.after(delay, () -> {
            if (!store.isDown()) {
                work(call);
            } else if (!call.twice && simWorld.chance(0.5)) {
                // A store that is down says so, or says nothing.
                StoreException down = StoreException.notApplied("the store is down", null);
                reply(call, () -> call.answer.completeExceptionally(down));
            }
        });
    }

    private <T> void work(Call<T> call) {
        T result;
        try {
            T answer = call.work.get();
            result = call.twice ? call.sentTwice.apply(answer) : answer;
        } catch (StoreException rejected) {
            reply(call, () -> call.answer.completeExceptionally(rejected));
            return;
        }
        reply(call, () -> call.answer.complete(result));
    }

    private <T> void reply(Call<T> call, Runnable delivery) {
        // To the life that asked: what comes after it is another process, which has asked for nothing.
        if (call.caller.life() == call.life && !call.caller.isCutOff() && !hit(weather.loss)) {
            call.caller.after(delay(), () -> {
                call.timeout.run();
                delivery.run();
            });
        }
    }

    private long delay() {
        return simWorld.chance(weather.slowness) ? simWorld.between(FAST, SLOW) : simWorld.between(Duration.ZERO, FAST);
    }

    private boolean hit(double probability) {
        boolean hit = probability > 0 && simWorld.chance(probability);
        if (hit) {
            eventTally.fault();
        }
        return hit;
    }
}
