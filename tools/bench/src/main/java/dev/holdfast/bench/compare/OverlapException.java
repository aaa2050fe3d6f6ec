package dev.holdfast.bench.compare;

import java.io.IOException;

/** The proof that a lock had two holders at once. It fails the run. */
final class OverlapException extends IOException {
    OverlapException(String message) {
        super(message);
    }
}
