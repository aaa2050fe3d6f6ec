package dev.holdfast.sim.world;

/** The counts of operations, grants, takeovers and faults in a run. */
public final class EventTally {
    private long operations;
    private long grants;
    private long takeovers;
    private long faults;

    public void operation() {
        operations++;
    }

    public void grant() {
        grants++;
    }

    public void takeover() {
        takeovers++;
    }

    public void fault() {
        faults++;
    }

    public void add(EventTally other) {
        operations += other.operations;
        grants += other.grants;
        takeovers += other.takeovers;
        faults += other.faults;
    }

    @Override
    public String toString() {
        return "operations=" + operations + " grants=" + grants + " takeovers=" + takeovers + " faults=" + faults;
    }
}
