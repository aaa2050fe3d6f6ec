package dev.holdfast.bench.contender;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A lock client without blocking calls. Its locks support the asynchronous methods of {@link HeldLock}. */
public interface AsyncContender {
    CompletionStage<Optional<HeldLock>> tryAcquire(String name);
}
