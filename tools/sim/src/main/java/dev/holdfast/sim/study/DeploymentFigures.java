package dev.holdfast.sim.study;

import java.time.Duration;

/**
 * What was measured of one deployment.
 *
 * @param rest requests in {@link #REST}, when nothing happened
 * @param cold from the start of the last worker until all was balanced
 * @param loss of a tenth of the workers, the planner not among them
 * @param plannerLoss of a tenth of the workers, and the planner among them; the same as {@code loss} where there is
 *     none
 * @param commandLoss the same, and those who stand by to plan among them
 * @param growth by as many workers as had been lost
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
     * What came of a change of the workers.
     *
     * @param recovered after how long no unit was idle
     * @param balanced after how long no more units moved
     * @param moves how often work on a unit began
     * @param least how often it had to
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
