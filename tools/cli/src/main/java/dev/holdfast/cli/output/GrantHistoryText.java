package dev.holdfast.cli.output;

import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.Entry;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** The history of a key as text, newest first, with the gaps that clients left that did not record their grants. */
public final class GrantHistoryText {
    /** The most lines that fit on a screen with the rest; {@code --json} has all that are kept. */
    private static final int MOST_SHOWN = 10;

    private static final DateTimeFormatter DATE_AND_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);

    private GrantHistoryText() {}

    /** One line for each grant or gap; none if nothing was recorded. Not yet safe for a terminal. */
    public static List<String> lines(LeaseStatus status) {
        List<PastGrant> past = status.history().lines();
        List<String> lines = new ArrayList<>();
        long next = status.entry().grants() + (hasCurrent(status.entry()) ? 0 : 1);
        for (int i = past.size() - 1; i >= Math.max(0, past.size() - MOST_SHOWN); i--) {
            PastGrant line = past.get(i);
            addGap(lines, next - line.number() - 1);
            lines.add(line(line));
            next = line.number();
        }
        if (!past.isEmpty() && next > 1) {
            lines.add("(" + grants(next - 1) + " before)");
        }
        return lines;
    }

    /** Whether the last grant has not ended in the store, though it may have expired. */
    private static boolean hasCurrent(Entry entry) {
        return entry.state() == LeaseState.HELD;
    }

    private static void addGap(List<String> lines, long missing) {
        if (missing > 0) {
            lines.add("(" + grants(missing) + " not recorded)");
        }
    }

    private static String grants(long count) {
        return count + (count == 1 ? " grant" : " grants");
    }

    private static String line(PastGrant line) {
        return "#" + line.number() + "  " + span(line) + "  " + line.holder() + "  " + end(line);
    }

    private static String span(PastGrant line) {
        boolean sameDay = day(line.grantedAt()) == day(line.endedBy());
        String end = (sameDay ? TIME : DATE_AND_TIME).format(line.endedBy()) + "Z";
        return DATE_AND_TIME.format(line.grantedAt()) + "Z - " + (line.endedAt().isPresent() ? end : "by " + end);
    }

    private static long day(Instant time) {
        return Math.floorDiv(time.getEpochSecond(), 86_400L);
    }

    private static String end(PastGrant line) {
        return switch (line.end()) {
            case RELEASED -> "released";
            case DONE -> "done";
            case EXPIRED -> "expired";
            case EVICTED ->
                "evicted" + (line.actor() == null ? "" : " by " + line.actor())
                        + (line.reason() == null ? "" : ": " + line.reason());
            case HANDED_OVER -> "handed over";
            case ORPHANED -> "ended with its anchor";
            case UNDELIVERED -> "released, as it reached no caller";
        };
    }
}
