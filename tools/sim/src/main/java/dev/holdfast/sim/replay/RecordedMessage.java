package dev.holdfast.sim.replay;

import java.util.List;

/** A request on its way to the store, and its answer on the way back. */
final class RecordedMessage {
    /** A time that did not come yet. */
    static final long NEVER = -1;

    final long number;
    final String lane;
    final List<String> keys;
    /** The request in a word or two. */
    final String label;
    /** The request after "asks the store to". */
    final String phrase;

    final boolean isCopy;
    final long sentNanos;
    long arrivedNanos = NEVER;
    long answeredNanos = NEVER;
    long deliveredNanos = NEVER;
    /** When the sender stopped waiting. */
    long timedOutNanos = NEVER;

    boolean isRequestLost;
    boolean isAnswerLost;
    String answer = "";

    RecordedMessage(long number, RecordedCall call, boolean isCopy, long sentNanos) {
        this.number = number;
        this.lane = call.lane();
        this.keys = call.keys();
        this.label = call.label();
        this.phrase = call.phrase();
        this.isCopy = isCopy;
        this.sentNanos = sentNanos;
    }

    /** A call to the store: its request may be sent twice. */
    record RecordedCall(String lane, List<String> keys, String label, String phrase) {
        RecordedCall {
            keys = List.copyOf(keys);
        }
    }

    /** Whether the request arrived after its sender had stopped waiting for it. */
    boolean isLate(long timeoutNanos) {
        return arrivedNanos != NEVER && arrivedNanos - sentNanos > timeoutNanos;
    }

    long lastNanos() {
        return Math.max(Math.max(sentNanos, arrivedNanos), Math.max(answeredNanos, deliveredNanos));
    }
}
