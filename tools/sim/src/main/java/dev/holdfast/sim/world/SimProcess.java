package dev.holdfast.sim.world;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * A process that may crash and restart, be paused (its clocks run on), be suspended with its machine (its ticker does
 * not), or be cut off from the store. What is due while it is paused happens when it goes on; what is due after it
 * crashed never happens.
 */
public final class SimProcess {
    private final SimWorld simWorld;
    private final String name;
    private final SimMachineClock clock;
    private final Runnable main;
    private long life;
    private boolean up;
    private long pausedUntilNanos;
    /** What came due while it was paused, in order. */
    private final Deque<Runnable> backlog = new ArrayDeque<>();

    private long cutOffUntilNanos;

    /** @param main starts what the process does, each time it is started */
    public SimProcess(SimWorld simWorld, String name, SimMachineClock clock, Runnable main) {
        this.simWorld = simWorld;
        this.name = name;
        this.clock = clock;
        this.main = main;
    }

    public String name() {
        return name;
    }

    public SimWorld world() {
        return simWorld;
    }

    public SimMachineClock clock() {
        return clock;
    }

    public boolean isUp() {
        return up;
    }

    /** Which life of the process this is: it grows with every start and crash. */
    public long life() {
        return life;
    }

    public boolean isPaused() {
        return simWorld.nowNanos() < pausedUntilNanos;
    }

    public boolean isCutOff() {
        return simWorld.nowNanos() < cutOffUntilNanos;
    }

    public void start() {
        up = true;
        life++;
        main.run();
    }

    public void crash() {
        up = false;
        life++;
        clock.wakeUp();
        pausedUntilNanos = 0;
        backlog.clear();
    }

    public void pause(long nanos) {
        pausedUntilNanos = Math.max(pausedUntilNanos, simWorld.nowNanos() + nanos);
        simWorld.after(nanos, this::goOn);
    }

    private void goOn() {
        while (!isPaused() && !backlog.isEmpty()) {
            backlog.remove().run();
        }
    }

    /** Suspends the machine: nothing runs, and the ticker stands still. */
    public void suspend(long nanos) {
        if (up && !isPaused()) {
            clock.fallAsleep();
            long thisLife = life;
            simWorld.after(nanos, () -> {
                if (life == thisLife) {
                    clock.wakeUp();
                }
            });
            pause(nanos);
        }
    }

    public void cutOff(long nanos) {
        cutOffUntilNanos = Math.max(cutOffUntilNanos, simWorld.nowNanos() + nanos);
    }

    public void jumpWall(Duration by) {
        clock.jumpWall(by);
    }

    /** Ends pauses and cuts. */
    public void heal() {
        clock.wakeUp();
        pausedUntilNanos = 0;
        cutOffUntilNanos = 0;
        goOn();
    }

    /** Something that happens to this life of the process, after a time. */
    public Runnable after(long worldNanos, Runnable action) {
        long thisLife = life;
        return simWorld.after(worldNanos, () -> deliver(thisLife, action));
    }

    /**
     * Blocks a thread of one life of this process: all that happens meanwhile, here and elsewhere, happens inside this call. Those
     * that block later go on earlier, as if a busy machine had let the others wait for a while.
     *
     * @throws ProcessGone if the process crashes, or the run ends, before {@code isOver}
     */
    void block(long inLife, BooleanSupplier isOver) {
        boolean ended = simWorld.runUntil(() -> life != inLife || (isOver.getAsBoolean() && !isPaused()));
        if (!ended || life != inLife) {
            throw new ProcessGone(name);
        }
    }

    /** Ends what a thread of a process does that is no more. */
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
