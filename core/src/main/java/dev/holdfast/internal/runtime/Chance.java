package dev.holdfast.internal.runtime;

import java.util.UUID;

/** Draws ids that nobody can guess: tokens prove ownership. */
final class Chance {
    private Chance() {}

    static UUID id() {
        return UUID.randomUUID();
    }
}
