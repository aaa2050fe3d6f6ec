package dev.holdfast.judges;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call and its answer, if it has one. The real call began and ended between the two stamps.
 *
 * @param answer null if the client died, or the run ended, before an answer
 */
public record HistoryCall(
        CallOp op, HistoryLine call, @Nullable HistoryLine answer) {
    public HistoryCall {
        if (answer != null && answer.stamp() < call.stamp()) {
            throw new IllegalArgumentException(
                    "stamp: " + answer.stamp() + " (expected: >= " + call.stamp() + ", of its call)");
        }
    }

    /** The key of the call; the prefix of keys for a list. */
    public String key() {
        return call.field(op == CallOp.LIST ? "keys" : "key");
    }

    public String client() {
        return call.client();
    }

    public long start() {
        return call.stamp();
    }

    /** The stamp of the answer; the largest number if there is none. */
    public long end() {
        return answer == null ? Long.MAX_VALUE : answer.stamp();
    }

    /** The latest time at which the call can take effect: a call with an unknown outcome may do so after its answer. */
    public long latestEffect() {
        return isUnknown() ? Long.MAX_VALUE : end();
    }

    public String out() {
        return answer == null ? CallOp.UNKNOWN : answer.field("out");
    }

    public boolean is(CallOp wanted, String out) {
        return op == wanted && out().equals(out);
    }

    public boolean isUnknown() {
        return out().equals(CallOp.UNKNOWN);
    }

    /** The token of the call, or of its answer, or, if neither has one, a name that no other call has. */
    public String token() {
        String own = call.optional("token");
        String given = answer == null ? null : answer.optional("token");
        return own != null ? own : given != null ? given : "?" + client() + "#" + call.call();
    }

    /** The fence that the answer shows; null if it shows none. */
    public @Nullable Long shownFence() {
        return answer == null || answer.optional("fence") == null ? null : (Long) answer.number("fence");
    }

    /** This call as known at {@code stamp}: a later answer has not arrived yet. */
    public HistoryCall asOf(long stamp) {
        return end() <= stamp ? this : new HistoryCall(op, call, null);
    }

    /** Its lines, as they stand in the history. */
    public List<String> lines() {
        return answer == null ? List.of(call.text()) : List.of(call.text(), answer.text());
    }
}
