package dev.holdfast.sim.study;

/** The methods of spreading units over workers. */
enum SpreadingMethod {
    /** Holdfast, on a store that returns the ages of beats. */
    PLANNED("Holdfast, store with a clock", "#0b6e4f"),
    /** Holdfast, on a store without ages: a client must observe a beat before it can consider a lease expired. */
    OBSERVED("Holdfast, silence observed", "#e69f00"),
    /** The model in {@link ScanningFleet}. */
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

    /** The colour in plots. */
    String colour() {
        return colour;
    }

    /** @param workers the largest number of workers over the whole trial */
    FleetDeployment deploy(int units, int workers) {
        return this == SCANNING
                ? new ScanningFleet(SEED, units, workers)
                : new HoldfastFleet(SEED, units, workers, this == PLANNED);
    }
}
