package dev.holdfast.server.accord;

import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a handle stands for. None of it ever changes, but that it is finished once. */
final class Known {
    private final Key key;
    private final Token token;
    private final Holder owner;
    private final AtomicBoolean finished = new AtomicBoolean();

    Known(Key key, Token token, Holder owner) {
        this.key = key;
        this.token = token;
        this.owner = owner;
    }

    Key key() {
        return key;
    }

    Token token() {
        return token;
    }

    boolean isOf(String name) {
        return owner.name().equals(name);
    }

    boolean isFinished() {
        return finished.get();
    }

    /** False if it was finished before: to accord a second time is an error, to Holdfast as good as the first. */
    boolean finish() {
        return finished.compareAndSet(false, true);
    }

    void notFinished() {
        finished.set(false);
    }
}
