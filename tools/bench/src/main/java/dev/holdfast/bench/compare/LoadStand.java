package dev.holdfast.bench.compare;

import java.io.IOException;
import java.util.Map;

/** The processes of one opponent for one load. They are idle between their turns. */
interface LoadStand extends AutoCloseable {
    /** Takes a turn. Returns figures by their names; none if the opponent cannot do this. */
    Map<String, Double> measure(LoadCell cell, int round) throws Exception;

    @Override
    void close() throws IOException;
}
