package dev.holdfast.explanation;

import dev.holdfast.Holder;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process of a holder, as far as it is known. User, host and process id come from the name of the holder, so a holder that
 * chose another name does not show them. A server adds the address and the client of the call that it granted the lease to.
 *
 * @param client the program and its version
 */
public record HolderProcess(
        Optional<String> user,
        Optional<String> host,
        Optional<Long> pid,
        Optional<String> client,
        Optional<String> address) {
    /** Nothing is known. */
    public static final HolderProcess UNKNOWN =
            new HolderProcess(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * The name that a process has by default, such as {@code ada@build-7#4711}. A lease that outlives its process, such as one of
     * {@code holdfast acquire}, has no process id.
     */
    private static final Pattern DEFAULT_NAME = Pattern.compile("([^@#/]+)@([^@#/]+)(?:#(\\d{1,9}))?");

    /** The process that the name of a holder states. */
    public static HolderProcess of(Holder holder) {
        Matcher matcher = DEFAULT_NAME.matcher(holder.name());
        return matcher.matches()
                ? new HolderProcess(
                        Optional.of(matcher.group(1)),
                        Optional.of(matcher.group(2)),
                        Optional.ofNullable(matcher.group(3)).map(Long::valueOf),
                        Optional.empty(),
                        Optional.empty())
                : UNKNOWN;
    }

    /** The same, with the origin of the call that was granted the lease. */
    public HolderProcess calledFrom(Optional<String> newAddress, Optional<String> newClient) {
        return new HolderProcess(user, host, pid, newClient, newAddress);
    }
}
