package dev.holdfast.sim.check;

import dev.holdfast.Key;

/** One that may believe to hold a key. */
interface LeaseUser {
    Key key();

    /** Whether it will never believe again, as far as it has said itself. */
    boolean isOver();

    /** Whether it believes, if it looks at its own clocks now. Asks without touching. */
    boolean isBelieved();
}
