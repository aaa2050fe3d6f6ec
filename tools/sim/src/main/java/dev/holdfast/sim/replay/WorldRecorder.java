package dev.holdfast.sim.replay;

import dev.holdfast.sim.replay.RecordedMessage.RecordedCall;
import dev.holdfast.sim.replay.RecordedStep.StepKind;
import dev.holdfast.sim.world.RunRecorder;
import dev.holdfast.sim.world.SimMachineClock;
import dev.holdfast.sim.world.SimNetwork;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.StoreRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A recorder of messages and faults. */
final class WorldRecorder implements RunRecorder {
    private static final long OPEN_ENDED = Long.MAX_VALUE / 2;

    private final RunLog log;
    private final EventWords words;
    private final TermRecorder terms;
    private final Map<SimMachineClock, String> clocks = new HashMap<>();
    /** The last calls by their numbers. */
    private final Map<Long, RecordedCall> calls = new BoundedMap<>(ReplayWindow.STEPS_MAX);

    /** The message that was sent first for each call. */
    private final Map<Long, Long> firstMessages = new BoundedMap<>(ReplayWindow.STEPS_MAX);

    private long numbers;

    WorldRecorder(RunLog log, EventWords words, TermRecorder terms) {
        this.log = log;
        this.words = words;
        this.terms = terms;
    }

    @Override
    public void processAdded(SimProcess process) {
        log.setWorld(process.world());
        log.addLane(process.name());
        clocks.put(process.clock(), process.name());
    }

    @Override
    public void started(SimProcess process) {
        endFaults(process.name(), "crashed");
        fault(process.name(), process.name() + " starts.");
    }

    @Override
    public void crashed(SimProcess process) {
        terms.crashed(process);
        endFaults(process.name(), "paused");
        endFaults(process.name(), "asleep");
        begin(process.name(), "crashed", OPEN_ENDED);
        fault(process.name(), process.name() + " crashes: it forgets all that it knew.");
    }

    @Override
    public void paused(SimProcess process, long untilNanos) {
        boolean isAsleep = log.faults().stream()
                .anyMatch(span -> span.isOpen()
                        && span.lane.equals(process.name())
                        && span.subject.equals("asleep")
                        && span.fromNanos == log.nowNanos());
        if (!isAsleep) {
            begin(process.name(), "paused", untilNanos);
            fault(process.name(), process.name() + " is paused until " + EventWords.seconds(untilNanos) + ".");
        }
    }

    @Override
    public void fellAsleep(SimProcess process, long untilNanos) {
        begin(process.name(), "asleep", untilNanos);
        String until = EventWords.seconds(untilNanos);
        fault(process.name(), "The machine of " + process.name() + " sleeps until " + until + ": its ticker stops.");
    }

    @Override
    public void cutOff(SimProcess process, long untilNanos) {
        begin(process.name(), "cut off", untilNanos);
        String until = EventWords.seconds(untilNanos);
        fault(process.name(), process.name() + " is cut off from the store until " + until + ".");
    }

    @Override
    public void healed(SimProcess process) {
        List.of("paused", "asleep", "cut off").forEach(kind -> endFaults(process.name(), kind));
    }

    @Override
    public void clockJumped(SimMachineClock clock, long byNanos) {
        String name = clocks.getOrDefault(clock, "a machine");
        begin(name, "clock jump", log.nowNanos());
        endFaults(name, "clock jump");
        String direction = byNanos < 0 ? " back by " : " forward by ";
        fault(name, "The clock of " + name + " jumps" + direction + EventWords.seconds(Math.abs(byNanos)) + ".");
    }

    @Override
    public void storeDown(boolean isDown) {
        if (isDown) {
            begin(RunLog.STORE, "down", OPEN_ENDED);
        } else {
            endFaults(RunLog.STORE, "down");
        }
        fault(RunLog.STORE, isDown ? "The store goes down." : "The store is up again.");
    }

    private void begin(String lane, String kind, long untilNanos) {
        log.fault(new RecordedSpan(lane, kind, kind, log.nowNanos(), untilNanos));
    }

    private void endFaults(String lane, String kind) {
        log.faults().stream()
                .filter(span -> span.lane.equals(lane) && span.subject.equals(kind))
                .forEach(span -> span.end(log.nowNanos(), ""));
    }

    private void fault(String lane, String caption) {
        log.step(lane, StepKind.FAULT, List.of(), caption);
    }

    @Override
    public long called(SimProcess caller, StoreRequest request) {
        calls.put(++numbers, words.call(caller.name(), request));
        return numbers;
    }

    @Override
    public void timedOut(long call) {
        RecordedCall timedOut = calls.get(call);
        if (timedOut != null) {
            RecordedMessage message = log.message(firstMessages.getOrDefault(call, 0L));
            if (message != null) {
                message.timedOutNanos = log.nowNanos();
            }
            String caption = timedOut.lane() + " stops waiting for the answer to its request to " + timedOut.phrase()
                    + ". It does not know the outcome.";
            log.step(timedOut.lane(), StepKind.MESSAGE, timedOut.keys(), caption);
        }
    }

    @Override
    public long requestSent(long call) {
        RecordedCall made = calls.get(call);
        if (made == null) {
            return 0;
        }
        boolean isCopy = firstMessages.putIfAbsent(call, ++numbers) != null;
        RecordedMessage message = new RecordedMessage(numbers, made, isCopy, log.nowNanos());
        log.message(message);
        step(
                message,
                isCopy
                        ? "The network doubles the request of " + message.lane + " to " + message.phrase + "."
                        : message.lane + " asks the store to " + message.phrase + ".");
        return numbers;
    }

    @Override
    public void requestLost(long number) {
        RecordedMessage message = log.message(number);
        if (message != null) {
            message.isRequestLost = true;
            step(message, "The request of " + message.lane + " to " + message.phrase + " is lost.");
        }
    }

    @Override
    public void requestArrived(long number) {
        RecordedMessage message = log.message(number);
        if (message != null) {
            message.arrivedNanos = log.nowNanos();
            String late = message.isLate(SimNetwork.TIMEOUT.toNanos())
                    ? ", " + EventWords.seconds(message.arrivedNanos - message.sentNanos) + " late"
                    : "";
            step(
                    message,
                    "The request of " + message.lane + " to " + message.phrase + " reaches the store" + late + ".");
        }
    }

    @Override
    public void answerSent(long number, @Nullable Object answer) {
        RecordedMessage message = log.message(number);
        if (message != null) {
            message.answeredNanos = log.nowNanos();
            message.answer = words.answer(answer);
        }
    }

    @Override
    public void answerLost(long number) {
        RecordedMessage message = log.message(number);
        if (message != null) {
            boolean isAnswered = message.answeredNanos != RecordedMessage.NEVER;
            message.isAnswerLost = true;
            step(
                    message,
                    isAnswered
                            ? "The answer to " + message.lane + " (" + message.answer + ") is lost."
                            : "The store does not answer " + message.lane + ".");
        }
    }

    @Override
    public void answerDelivered(long number) {
        RecordedMessage message = log.message(number);
        if (message != null) {
            message.deliveredNanos = log.nowNanos();
            step(
                    message,
                    message.lane + " receives the answer to its request to " + message.phrase + ": " + message.answer
                            + ".");
        }
    }

    private void step(RecordedMessage message, String caption) {
        log.step(message.lane, StepKind.MESSAGE, message.keys, message.number, caption);
    }
}
