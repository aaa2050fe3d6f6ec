package dev.holdfast.support;

import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.LeaseStatus;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A listing as a stream. Pages are read one by one, as the stream is consumed. */
public final class PagedStatuses {
    /** Keys of one page: large enough to amortize a round trip, small enough to keep in memory. */
    public static final int SIZE = 500;

    private PagedStatuses() {}

    /** Reads one page. */
    public interface Source {
        StatusPage read(@Nullable String cursor);
    }

    public static Stream<LeaseStatus> stream(Source source) {
        return Stream.iterate(
                        Optional.of(new Position(null)),
                        Optional::isPresent,
                        position -> position.flatMap(it -> it.next(source)))
                .flatMap(position -> position.orElseThrow().page(source).statuses().stream());
    }

    /** A page that is read when it is first needed. */
    private static final class Position {
        private final @Nullable String cursor;
        private @Nullable StatusPage page;

        Position(@Nullable String cursor) {
            this.cursor = cursor;
        }

        StatusPage page(Source source) {
            if (page == null) {
                page = source.read(cursor);
            }
            return page;
        }

        Optional<Position> next(Source source) {
            return Optional.ofNullable(page(source).cursor()).map(Position::new);
        }
    }
}
