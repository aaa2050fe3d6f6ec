package dev.holdfast.bench.servers;

import dev.holdfast.bench.contender.StoreCounts;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A server that opponents use, or the file of a store without one. */
public interface OpponentServer extends AutoCloseable {
    /** The address for the client of an opponent; it has its own database where the server has several. */
    String url(String opponent) throws Exception;

    /** The processes of the server. */
    List<ProcessHandle> processes();

    /** The requests and writes of an opponent so far; empty if the server does not count them. */
    default Optional<StoreCounts> counts(String opponent) throws Exception {
        return Optional.empty();
    }

    /** The size of an opponent's data in its store; 0 if it is unknown. */
    default long storeBytes(String opponent) throws Exception {
        return 0;
    }

    /** The program and its durability, for the report. */
    String description();

    @Override
    void close() throws IOException;
}
