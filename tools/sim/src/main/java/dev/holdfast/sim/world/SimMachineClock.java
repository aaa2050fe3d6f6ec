package dev.holdfast.sim.world;

import java.time.Duration;
import java.time.Instant;

/**
 * The clocks of one machine. They drift, by less than the bound that Holdfast allows. The wall clock has an offset and
 * may jump, and the ticker stands still while the machine sleeps.
 */
public final class SimMachineClock {
    /** Two machines may differ by twice this value, which is below the thousandth that the rules allow. */
    public static final double DRIFT_MAX = 0.00045;

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final SimWorld world;
    private double rate;
    private long tickerOffsetNanos;
    private long wallOffsetNanos;
    private long sleptNanos;
    private long sleepsFromNanos = -1;
    /** The clocks' readings when the rate last changed. */
    private long awakeAtChange;

    private long nowAtChange;

    public SimMachineClock(SimWorld world, Duration wallOffset) {
        this.world = world;
        this.rate = 1 + DRIFT_MAX * (2 * world.random().nextDouble() - 1);
        this.tickerOffsetNanos = world.random().nextInt();
        this.wallOffsetNanos = wallOffset.toNanos();
    }

    public long ticker() {
        return tickerOffsetNanos + (long) ((awakeNanos() - awakeAtChange) * rate);
    }

    private long awakeNanos() {
        return (sleepsFromNanos >= 0 ? sleepsFromNanos : world.nowNanos()) - sleptNanos;
    }

    public Instant wall() {
        return START.plusNanos((long) ((world.nowNanos() - nowAtChange) * rate) + wallOffsetNanos);
    }

    /**
     * Makes the clocks run slow or fast from now on.
     *
     * @param drift the share of {@link #DRIFT_MAX}, from -1 to 1
     */
    public void drift(double drift) {
        tickerOffsetNanos = ticker();
        wallOffsetNanos += (long) ((world.nowNanos() - nowAtChange) * rate);
        awakeAtChange = awakeNanos();
        nowAtChange = world.nowNanos();
        rate = 1 + DRIFT_MAX * drift;
    }

    /** Makes the ticker jump, which only the clock of a store may do, never the ticker of a process. */
    public void jumpTicker(long nanos) {
        tickerOffsetNanos += nanos;
        world.recorder().clockJumped(this, nanos);
    }

    /** The virtual time that passes while the ticker advances by {@code tickerNanos}. */
    long worldNanos(long tickerNanos) {
        return (long) Math.ceil(tickerNanos / rate);
    }

    void jumpWall(Duration by) {
        wallOffsetNanos += by.toNanos();
        world.recorder().clockJumped(this, by.toNanos());
    }

    void fallAsleep() {
        sleepsFromNanos = world.nowNanos();
    }

    void wakeUp() {
        if (sleepsFromNanos >= 0) {
            sleptNanos += world.nowNanos() - sleepsFromNanos;
            sleepsFromNanos = -1;
        }
    }
}
