package dev.holdfast.chaos.backend;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;

/** A fault that waits until the other faults of its group are healed, because they act on the same process. */
final class ExclusiveFault implements ChaosFault {
    private final ChaosFault fault;
    private final Semaphore turn;
    private boolean hasTurn;

    private ExclusiveFault(ChaosFault fault, Semaphore turn) {
        this.fault = fault;
        this.turn = turn;
    }

    static List<ChaosFault> group(List<ChaosFault> faults) {
        Semaphore turn = new Semaphore(1);
        return faults.stream()
                .<ChaosFault>map(fault -> new ExclusiveFault(fault, turn))
                .toList();
    }

    @Override
    public String name() {
        return fault.name();
    }

    @Override
    public String kind() {
        return fault.kind();
    }

    @Override
    public void strike(Random random) throws IOException, InterruptedException {
        turn.acquire();
        hasTurn = true;
        fault.strike(random);
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        if (!hasTurn) {
            return;
        }
        try {
            fault.heal();
        } finally {
            hasTurn = false;
            turn.release();
        }
    }
}
