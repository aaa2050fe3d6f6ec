package dev.holdfast.sim.world;

import java.time.Duration;
import java.time.Instant;

/**
 * The clocks of one machine. They drift (by less than what Holdfast promises for), the wall clock is off by an offset
 * and may jump, and the ticker stands still while the machine sleeps.
 */
public final class SimMachineClock {
    /** Two machines may differ by twice this, which is below the thousandth that the rules allow for. */
    public static final double DRIFT_MAX = 0.00045;

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final SimWorld simWorld;
    private double rate;
    private long tickerOffsetNanos;
    private long wallOffsetNanos;
    private long sleptNanos;
    private long sleepsFromNanos = -1;
    /** Where the clocks were when the rate last changed. */
    private long awakeAtChange;

    private long nowAtChange;

    public SimMachineClock(SimWorld simWorld, Duration wallOffset) {
        this.simWorld = simWorld;
        this.rate = 1 + DRIFT_MAX * (2 * simWorld.random().nextDouble() - 1);
        this.tickerOffsetNanos = simWorld.random().nextInt();
        this.wallOffsetNanos = wallOffset.toNanos();
    }

    public long ticker() {
        return tickerOffsetNanos + (long) ((awakeNanos() - awakeAtChange) * rate);
    }

    private long awakeNanos() {
        return (sleepsFromNanos >= 0 ? sleepsFromNanos : simWorld.nowNanos()) - sleptNanos;
    }

    public Instant wall() {
        return START.plusNanos((long) ((simWorld.nowNanos() - nowAtChange) * rate) + wallOffsetNanos);
    }

    /** From now on the clocks run slow or fast, by {@code drift} of {@link #DRIFT_MAX}, which is between -1 and 1. */
    public void drift(double drift) {
        tickerOffsetNanos = ticker();
        wallOffsetNanos += (long) ((simWorld.nowNanos() - nowAtChange) * rate);
        awakeAtChange = awakeNanos();
        nowAtChange = simWorld.nowNanos();
        rate = 1 + DRIFT_MAX * drift;
    }

    /** Makes the ticker jump, as the clock of a store may: a process has no such ticker. */
    public void jumpTicker(long nanos) {
        tickerOffsetNanos += nanos;
    }

    /** How much virtual time passes while the ticker runs on by {@code tickerNanos}. */
    long worldNanos(long tickerNanos) {
        return (long) Math.ceil(tickerNanos / rate);
    }

    void jumpWall(Duration by) {
        wallOffsetNanos += by.toNanos();
    }

    void fallAsleep() {
        sleepsFromNanos = simWorld.nowNanos();
    }

    void wakeUp() {
        if (sleepsFromNanos >= 0) {
            sleptNanos += simWorld.nowNanos() - sleepsFromNanos;
            sleepsFromNanos = -1;
        }
    }
}
