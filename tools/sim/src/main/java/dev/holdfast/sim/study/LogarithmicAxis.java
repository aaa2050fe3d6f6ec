package dev.holdfast.sim.study;

/**
 * A logarithmic axis.
 *
 * @param length in pixels
 */
record LogarithmicAxis(double low, double high, int length) {
    double at(double value) {
        double share = (Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low));
        return Math.max(0, Math.min(1, share)) * length;
    }

    /** The powers of ten on the axis. */
    double[] ticks() {
        int first = (int) Math.ceil(Math.log10(low) - 1e-9);
        int last = (int) Math.floor(Math.log10(high) + 1e-9);
        double[] ticks = new double[Math.max(0, last - first + 1)];
        for (int i = 0; i < ticks.length; i++) {
            ticks[i] = Math.pow(10, first + i);
        }
        return ticks;
    }
}
