package dev.holdfast.importing;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The number of rows that were read, by their outcomes.
 *
 * @param unreadable rows that cannot be imported
 */
public record ImportCounts(Map<ImportOutcome, Long> outcomes, long unreadable) {
    public ImportCounts {
        Map<ImportOutcome, Long> all = new EnumMap<>(ImportOutcome.class);
        for (ImportOutcome outcome : ImportOutcome.values()) {
            all.put(outcome, outcomes.getOrDefault(outcome, 0L));
        }
        outcomes = Collections.unmodifiableMap(all);
    }

    public long of(ImportOutcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    /** All rows that were read. */
    public long rows() {
        return unreadable
                + outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether every row was imported, now or before. */
    public boolean isComplete() {
        return unreadable == 0 && of(ImportOutcome.CONFLICT) == 0;
    }
}
