package dev.holdfast.chaos.backend;

import java.io.IOException;
import java.util.Random;

/** A fault that the harness strikes and heals, never twice at once. */
public interface ChaosFault {
    /** The name for people, such as "cut connections of client 3". */
    String name();

    /** The column of the fault matrix, such as "connection cut". */
    String kind();

    void strike(Random random) throws IOException, InterruptedException;

    /** Ends the fault. Called once after each strike, even one that failed. */
    void heal() throws IOException, InterruptedException;
}
