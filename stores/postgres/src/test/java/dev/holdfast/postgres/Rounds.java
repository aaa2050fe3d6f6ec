package dev.holdfast.postgres;

/** Number of rounds of a crash test: {@code -Dholdfast.crash.rounds=100}, or the default of the test. */
final class Rounds {
    private Rounds() {}

    static int of(int otherwise) {
        String said = System.getProperty("holdfast.crash.rounds", "");
        return said.isEmpty() ? otherwise : Integer.parseInt(said);
    }
}
