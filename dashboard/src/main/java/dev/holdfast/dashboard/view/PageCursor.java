package dev.holdfast.dashboard.view;

import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.ScanCursor;
import org.jspecify.annotations.Nullable;

/**
 * The place where a page of a search begins.
 *
 * @param part of the search
 * @param cursor of the store within the part; null at its beginning
 * @param skip how many matches after the cursor were on the page before
 */
record PageCursor(int part, @Nullable String cursor, int skip) {
    private static final int PARTS = 3;

    static PageCursor parse(String text, int parts) {
        if (text.isEmpty()) {
            return new PageCursor(0, null, 0);
        }
        ScanCursor parsed;
        long part;
        long skip;
        try {
            parsed = ScanCursor.parse(text, PARTS);
            part = parsed.number(0);
            skip = parsed.number(1);
        } catch (IllegalArgumentException e) {
            throw bad(text);
        }
        if (part < 0 || part >= parts || skip < 0 || skip > Integer.MAX_VALUE) {
            throw bad(text);
        }
        return new PageCursor((int) part, parsed.part(2).isEmpty() ? null : parsed.part(2), (int) skip);
    }

    private static IllegalArgumentException bad(String text) {
        return ArgumentCheck.bad("page", text, "nextPage of the previous page");
    }

    /** Whether this is the beginning of the whole search. */
    boolean isFirst() {
        return part == 0 && cursor == null && skip == 0;
    }

    String text() {
        return ScanCursor.format(Integer.toString(part), Integer.toString(skip), cursor == null ? "" : cursor);
    }

    PageCursor nextPart() {
        return new PageCursor(part + 1, null, 0);
    }

    PageCursor after(String newCursor) {
        return new PageCursor(part, newCursor, 0);
    }

    PageCursor skipping(int matches) {
        return new PageCursor(part, cursor, matches);
    }
}
