package dev.holdfast.sim.study;

import java.time.Duration;

/**
 * The measurements of one deployment.
 *
 * @param rest the requests in {@link #REST}, without any change of workers or units
 * @param cold the time from the start of the last worker until all units were balanced
 * @param loss the loss of a tenth of the workers, without the planner
 * @param growth the start of as many workers as had been lost
 * @param plannerLoss the loss of a tenth of the workers, with the planner; equal to {@code loss} without a planner
 * @param commandLoss the loss of a tenth of the workers, with the planner and its standbys
 */
record DeploymentFigures(
        int workers,
        int units,
        RequestCount.Count rest,
        Duration cold,
        Change loss,
        Change growth,
        Change plannerLoss,
        Change commandLoss) {
    static final Duration REST = Duration.ofSeconds(30);

    /**
     * The effects of a change of the workers.
     *
     * @param recovered the time until no unit was idle
     * @param balanced the time until no more units moved
     * @param moves how often work on a unit began
     * @param least the smallest possible number of moves
     */
    record Change(Duration recovered, Duration balanced, long moves, long least) {
        double excess() {
            return (double) moves / least;
        }
    }

    double requestsPerSecond() {
        return (double) rest.all() / REST.toSeconds();
    }
}
