package dev.holdfast.postgres;

/** How often a crash test crashes: {@code -Dholdfast.crash.rounds=100}, or what the test thinks is enough. */
final class Rounds {
    private Rounds() {}

    static int of(int otherwise) {
        String said = System.getProperty("holdfast.crash.rounds", "");
        return said.isEmpty() ? otherwise : Integer.parseInt(said);
    }
}
