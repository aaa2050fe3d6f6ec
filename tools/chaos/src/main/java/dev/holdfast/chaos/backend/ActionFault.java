package dev.holdfast.chaos.backend;

import java.io.IOException;
import java.util.Random;

/** A fault made of two actions. */
record ActionFault(String name, String kind, StrikeAction onStrike, HealAction onHeal) implements ChaosFault {
    /** The action that begins a fault. */
    @FunctionalInterface
    interface StrikeAction {
        void run(Random random) throws IOException, InterruptedException;
    }

    /** The action that ends a fault. It must work even if the other action failed halfway. */
    @FunctionalInterface
    interface HealAction {
        void run() throws IOException, InterruptedException;
    }

    @Override
    public void strike(Random random) throws IOException, InterruptedException {
        onStrike.run(random);
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        onHeal.run();
    }
}
