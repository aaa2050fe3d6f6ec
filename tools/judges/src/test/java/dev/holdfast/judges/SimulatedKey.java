package dev.holdfast.judges;

import java.util.Random;

/** A lease register that executes one call after another, correctly or with a planted defect. Times are nanoseconds. */
final class SimulatedKey {
    private static final int DEFECT_EVERY = 4;

    private final PlantedDefect defect;
    private final Random random;
    private String state = "ABSENT";
    private String token = "";
    private String value = "";
    private long fence = 100;
    private long beat;
    private long term;
    private boolean struck;

    SimulatedKey(PlantedDefect defect, Random random) {
        this.defect = defect;
        this.random = random;
    }

    /** Whether the defect has had an effect on an answer or on the state. */
    boolean hasStruck() {
        return struck;
    }

    private boolean strikes(PlantedDefect wanted) {
        boolean strikes = defect == wanted && random.nextInt(DEFECT_EVERY) == 0;
        struck |= strikes;
        return strikes;
    }

    private boolean isHeldBy(String other) {
        return state.equals("HELD") && token.equals(other);
    }

    /** As shown to others: after the term and a thousandth of it. */
    private boolean isExpired(long now) {
        return now - beat >= term + term / 1000;
    }

    String acquire(String asker, long askedTerm, long now) {
        boolean held = state.equals("HELD") && !isExpired(now);
        if (state.equals("DONE")) {
            return "out=done";
        }
        if (held && !strikes(PlantedDefect.DOUBLE_GRANT)) {
            return "out=held fence=" + fence;
        }
        if (!held && !state.equals("HELD") && strikes(PlantedDefect.REFUSED_THOUGH_FREE)) {
            return "out=held";
        }
        boolean repeated = !state.equals("ABSENT") && strikes(PlantedDefect.REPEATED_FENCE);
        fence += repeated ? 0 : 1 + random.nextInt(3);
        state = "HELD";
        token = asker;
        term = askedTerm;
        beat = now;
        return "out=granted fence=" + fence;
    }

    String renew(String asker, long askedTerm, long now) {
        if (!isHeldBy(asker)) {
            return "out=lost";
        }
        beat = now;
        term = askedTerm;
        return "out=ok";
    }

    /** A renewal by the library, of which the history knows nothing. */
    void renewSilently(String asker, long now) {
        if (isHeldBy(asker)) {
            beat = now;
        }
    }

    String release(String asker) {
        boolean wasReleased = state.equals("FREE") && token.equals(asker);
        if (isHeldBy(asker)) {
            state = "FREE";
            return "out=ok";
        }
        return wasReleased ? "out=ok" : "out=lost";
    }

    String done(String asker) {
        boolean wasDone = state.equals("DONE") && token.equals(asker);
        if (isHeldBy(asker)) {
            state = strikes(PlantedDefect.LOST_DONE) ? "FREE" : "DONE";
            return "out=ok";
        }
        return wasDone ? "out=ok" : "out=lost";
    }

    String update(String asker, String next) {
        if (!isHeldBy(asker)) {
            return "out=lost";
        }
        if (!strikes(PlantedDefect.LOST_UPDATE)) {
            value = next;
        }
        return "out=ok";
    }

    String reopen() {
        if (state.equals("DONE")) {
            state = "FREE";
            return "out=ok";
        }
        return "out=refused";
    }

    String evict() {
        if (state.equals("HELD")) {
            state = "FREE";
            return "out=ok";
        }
        return "out=refused";
    }

    String get(long now) {
        String shown = state.equals("HELD") && isExpired(now) ? "FREE" : state;
        return state.equals("ABSENT")
                ? "out=absent"
                : "out=state state=" + shown + " fence=" + fence + " value=" + value;
    }
}
