package dev.holdfast.sim.world;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * A simulated process. It may crash and restart, or be cut off from the store. It may be paused, while its clocks run
 * on, or be suspended with its machine, while its ticker stands still. Actions that become due during a pause run when
 * the process resumes. Actions that become due after a crash never run.
 */
public final class SimProcess {
    private final SimWorld world;
    private final String name;
    private final SimMachineClock clock;
    private final Runnable main;
    private long life;
    private boolean up;
    private long pausedUntilNanos;
    /** The actions that became due during a pause, in order. */
    private final Deque<Runnable> backlog = new ArrayDeque<>();

    private long cutOffUntilNanos;

    /** @param main runs each time the process starts */
    public SimProcess(SimWorld world, String name, SimMachineClock clock, Runnable main) {
        this.world = world;
        this.name = name;
        this.clock = clock;
        this.main = main;
        world.recorder().processAdded(this);
    }

    public String name() {
        return name;
    }

    public SimWorld world() {
        return world;
    }

    public SimMachineClock clock() {
        return clock;
    }

    public boolean isUp() {
        return up;
    }

    /** The number of this life of the process: it grows with every start and crash. */
    public long life() {
        return life;
    }

    public boolean isPaused() {
        return world.nowNanos() < pausedUntilNanos;
    }

    public boolean isCutOff() {
        return world.nowNanos() < cutOffUntilNanos;
    }

    public void start() {
        up = true;
        life++;
        world.recorder().started(this);
        main.run();
    }

    public void crash() {
        up = false;
        life++;
        clock.wakeUp();
        pausedUntilNanos = 0;
        backlog.clear();
        world.recorder().crashed(this);
    }

    public void pause(long nanos) {
        pausedUntilNanos = Math.max(pausedUntilNanos, world.nowNanos() + nanos);
        world.after(nanos, this::resume);
        world.recorder().paused(this, pausedUntilNanos);
    }

    private void resume() {
        while (!isPaused() && !backlog.isEmpty()) {
            backlog.remove().run();
        }
    }

    /** Suspends the machine: no action runs, and the ticker stands still. */
    public void suspend(long nanos) {
        if (up && !isPaused()) {
            clock.fallAsleep();
            world.recorder().fellAsleep(this, world.nowNanos() + nanos);
            long thisLife = life;
            world.after(nanos, () -> {
                if (life == thisLife) {
                    clock.wakeUp();
                }
            });
            pause(nanos);
        }
    }

    public void cutOff(long nanos) {
        cutOffUntilNanos = Math.max(cutOffUntilNanos, world.nowNanos() + nanos);
        world.recorder().cutOff(this, cutOffUntilNanos);
    }

    /** Ends pauses and reconnects the process to the store. */
    public void heal() {
        clock.wakeUp();
        pausedUntilNanos = 0;
        cutOffUntilNanos = 0;
        world.recorder().healed(this);
        resume();
    }

    /** Runs {@code action} in this life of the process, after a delay in virtual time. */
    public Runnable after(long worldNanos, Runnable action) {
        long thisLife = life;
        return world.after(worldNanos, () -> deliver(thisLife, action));
    }

    /**
     * Blocks a thread of one life of this process. All events of the simulation run inside this call until it ends.
     * Threads that block later resume earlier, as if a busy machine had delayed the others.
     *
     * @throws ProcessGone if the process crashes, or the run ends, before {@code isOver} is true
     */
    void block(long inLife, BooleanSupplier isOver) {
        boolean ended = world.runUntil(() -> life != inLife || (isOver.getAsBoolean() && !isPaused()));
        if (!ended || life != inLife) {
            throw new ProcessGone(name);
        }
    }

    /** An exception that ends a blocked thread of a process that has crashed. */
    public static final class ProcessGone extends RuntimeException {
        ProcessGone(String name) {
            super(name + " is gone");
        }
    }

    private void deliver(long inLife, Runnable action) {
        if (life != inLife) {
            return;
        }
        if (isPaused()) {
            backlog.add(() -> deliver(inLife, action));
        } else {
            action.run();
        }
    }
}
