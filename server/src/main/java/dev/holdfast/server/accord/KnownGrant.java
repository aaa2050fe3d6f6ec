package dev.holdfast.server.accord;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Token;

/** The grant that a handle stands for: only what never changes, so that it may be remembered. */
record KnownGrant(Key key, Token token, Holder owner) {
    boolean isOf(String name) {
        return owner.name().equals(name);
    }
}
