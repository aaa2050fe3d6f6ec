package dev.holdfast.service;

import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Token;

/** The proof that a caller holds an anchor. */
public record AnchorProof(Key key, Token token) {
    public static AnchorProof of(Lease anchor) {
        return new AnchorProof(anchor.key(), anchor.token());
    }
}
