package dev.holdfast.sim.study;

/** How units are spread. */
enum SpreadingMethod {
    /** Holdfast, on a store that tells the ages of beats. */
    PLANNED("Holdfast, store with a clock", "#0b6e4f"),
    /** Holdfast, on a store that does not: those who judge must have watched. */
    OBSERVED("Holdfast, silence observed", "#e69f00"),
    /** The model. */
    SCANNING("every worker scans, steals one at a time (model)", "#c0392b");

    private static final long SEED = 7;

    private final String title;
    private final String colour;

    SpreadingMethod(String title, String colour) {
        this.title = title;
        this.colour = colour;
    }

    String title() {
        return title;
    }

    /** In plots. */
    String colour() {
        return colour;
    }

    /** @param workers the most that there will ever be */
    FleetDeployment deploy(int units, int workers) {
        return this == SCANNING
                ? new ScanningFleet(SEED, units, workers)
                : new RealFleet(SEED, units, workers, this == PLANNED);
    }
}
