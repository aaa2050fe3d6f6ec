package dev.holdfast.cli.output;

import dev.holdfast.AttributeValue;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.support.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Status of a key as text. */
public final class LeaseStatusText {
    private static final String NONE = "-";
    private static final String UNKNOWN = "unknown";
    private static final int LABEL = 12;
    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";

    private final Instant now;

    public LeaseStatusText(Instant now) {
        this.now = now;
    }

    /** The details of one key, a line each. */
    public List<String> lines(Key key, @Nullable LeaseStatus status) {
        List<String> lines = new ArrayList<>();
        add(lines, "name", key.name());
        if (!key.namespace().isEmpty()) {
            add(lines, "namespace", key.namespace());
        }
        if (status == null) {
            add(lines, "status", "free (never leased)");
            return lines;
        }
        Entry entry = status.entry();
        Grant grant = entry.grant();
        add(
                lines,
                "status",
                status(status) + (status.isHeld() ? ", " + DurationText.rounded(status.remaining()) + " left" : ""));
        if (grant != null) {
            add(
                    lines,
                    status.isHeld() ? "holder" : "last holder",
                    grant.holder().name());
            boolean dated = !isUnknown(grant.grantedAt());
            add(lines, "granted", dated ? grant.grantedAt() + " (" + ago(grant.grantedAt()) + " ago)" : UNKNOWN);
            add(
                    lines,
                    "term",
                    grant.term().isKnown() ? DurationText.rounded(grant.term().duration()) : UNKNOWN);
            if (grant.anchor() != null) {
                add(lines, "anchor", grant.anchor().key().toString());
            }
        }
        if (entry.doneAt() != null) {
            add(lines, "done", entry.doneAt() + " (" + ago(entry.doneAt()) + " ago)");
        }
        add(lines, "fence", fence(entry));
        add(lines, "grants", String.valueOf(entry.grants()));
        entry.attributes().asMap().forEach((name, value) -> add(lines, "attribute", name + "=" + text(value)));
        String label = "history";
        for (String line : GrantHistoryText.lines(status)) {
            add(lines, label, line);
            label = "";
        }
        return lines;
    }

    private static void add(List<String> lines, String label, String value) {
        lines.add(ColumnWidth.padded(label, LABEL) + VisibleText.line(value));
    }

    /** A table of keys, with headings. In colour, keys that are not held are dimmed. */
    public List<String> table(List<LeaseStatus> statuses, int width, boolean colourful) {
        TextTable table = new TextTable(
                TextTable.Column.text("NAME", 5),
                TextTable.Column.whole("STATUS", 5),
                TextTable.Column.text("HOLDER", 4),
                TextTable.Column.whole("SINCE", 2),
                TextTable.Column.whole("LEFT", 3),
                TextTable.Column.whole("FENCE", 0),
                TextTable.Column.text("ATTRIBUTES", 1));
        statuses.forEach(status -> table.row(cells(status)));
        List<String> lines = table.lines(width);
        if (colourful) {
            lines.set(0, BOLD + lines.get(0) + PLAIN);
            for (int i = 1; i < lines.size(); i++) {
                if (!statuses.get(i - 1).isHeld()) {
                    lines.set(i, DIM + lines.get(i) + PLAIN);
                }
            }
        }
        return lines;
    }

    private String[] cells(LeaseStatus status) {
        Grant grant = status.entry().grant();
        return new String[] {
            status.key().toString(),
            status(status),
            grant == null ? NONE : grant.holder().name(),
            since(status),
            status.isHeld() ? DurationText.rounded(status.remaining()) : NONE,
            fence(status.entry()),
            attributes(status.attributes().asMap())
        };
    }

    private static String status(LeaseStatus status) {
        return status.isExpired() ? "free (expired)" : status.state().name().toLowerCase(Locale.ROOT);
    }

    private String since(LeaseStatus status) {
        Instant done = status.entry().doneAt();
        if (done != null) {
            return ago(done);
        }
        Grant grant = status.entry().grant();
        if (grant == null || !status.isHeld() || isUnknown(grant.grantedAt())) {
            return NONE;
        }
        return ago(grant.grantedAt());
    }

    /** Whether the time is unknown. Some of the tools that share a table with Holdfast do not record it. */
    public static boolean isUnknown(Instant time) {
        return time.equals(Instant.EPOCH);
    }

    static String fence(Entry entry) {
        return entry.fence().equals(Fence.NONE) ? NONE : entry.fence().toString();
    }

    private String ago(Instant then) {
        return DurationText.rounded(Duration.between(then, now));
    }

    public static String attributes(Map<String, AttributeValue> values) {
        StringJoiner joined = new StringJoiner(" ");
        values.forEach((name, value) -> joined.add(name + "=" + text(value)));
        return joined.toString();
    }

    private static String text(AttributeValue value) {
        return value instanceof AttributeValue.Text text ? text.value() : value.toString();
    }
}
