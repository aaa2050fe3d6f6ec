package dev.holdfast.server.accord;

import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;

/** The grant that a handle stands for: only what never changes, so that it may be remembered. */
record Known(Key key, Token token, Holder owner) {
    boolean isOf(String name) {
        return owner.name().equals(name);
    }
}
