package dev.holdfast.server.accord;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Token;

/** The grant that a handle stands for. It has only the parts that never change, so it can be cached. */
record KnownGrant(Key key, Token token, Holder owner) {
    boolean isOf(String name) {
        return owner.name().equals(name);
    }
}
