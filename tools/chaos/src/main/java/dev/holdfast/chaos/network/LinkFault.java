package dev.holdfast.chaos.network;

import java.time.Duration;
import java.util.Set;

/** A lasting fault of the links of a proxy. A proxy tells active faults apart by identity, not by their values. */
public sealed interface LinkFault {
    /** Each chunk of bytes waits for {@code fixed}, and for a random part of {@code jitter}. */
    record Delayed(Duration fixed, Duration jitter) implements LinkFault {
        public Delayed {
            if (fixed.isNegative() || jitter.isNegative()) {
                throw new IllegalArgumentException("delay: " + fixed + " and " + jitter + " (expected: >= PT0S)");
            }
        }
    }

    /**
     * Half-open links: bytes and the end of the stream disappear, and no link is closed. A link that lost bytes is cut when
     * the fault is healed, because TCP never continues a stream after a gap.
     */
    record Swallowed(Set<FlowDirection> directions) implements LinkFault {
        public Swallowed {
            directions = Set.copyOf(directions);
            if (directions.isEmpty()) {
                throw new IllegalArgumentException("directions: none (expected: one or both)");
            }
        }
    }

    /** Links that were open when the fault struck are held back, while newer links pass. The bytes arrive after healing. */
    record OlderHeld() implements LinkFault {}

    /** All links are held back, also new ones, as in a partition that TCP survives. The bytes arrive after healing. */
    record AllHeld() implements LinkFault {}

    /** Each direction of each link passes so many bytes a second. */
    record Limited(int bytesPerSecond) implements LinkFault {
        public Limited {
            if (bytesPerSecond < 1) {
                throw new IllegalArgumentException("bytesPerSecond: " + bytesPerSecond + " (expected: >= 1)");
            }
        }
    }

    /** Open links are cut, and new connections are refused by the system, as if the server's process were gone. */
    record Refused() implements LinkFault {}
}
