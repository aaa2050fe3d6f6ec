package dev.holdfast.internal.rules;

import dev.holdfast.internal.Check;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Key;
import dev.holdfast.model.Power;
import dev.holdfast.model.Term;
import dev.holdfast.model.UnsupportedPowerException;
import dev.holdfast.spi.Dialect;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what a store cannot keep, before anything is sent: to do half of what was asked, or to seem to do it, would
 * be worse than to say no.
 */
public final class Abilities {
    private final Dialect dialect;
    private final boolean isNative;

    public Abilities(Dialect dialect) {
        this.dialect = dialect;
        this.isNative = dialect.equals(Dialect.NATIVE);
    }

    /**
     * @throws UnsupportedPowerException if the request needs what the store lacks
     * @throws IllegalArgumentException if the term is one that the store cannot keep
     */
    public void require(Key key, Request request) {
        if (isNative) {
            return;
        }
        require(key);
        if (request instanceof Request.Acquire acquire) {
            require(acquire.anchor() != null, Power.ANCHORS, key);
            require(key, acquire.attributes());
            requireTerm(acquire.term());
        } else if (request instanceof Request.Renew renew) {
            require(key, renew.attributes());
            require(renew.successor() == null, Power.LASTING_TOKEN, key);
            if (renew.term() != null) {
                requireTerm(renew.term());
            }
        } else if (request instanceof Request.Done || request instanceof Request.Reopen) {
            require(true, Power.DONE, key);
        } else if (request instanceof Request.Update) {
            require(true, Power.ATTRIBUTES, key);
        } else if (request instanceof Request.CleanUp) {
            require(true, Power.CLEAN_UP, key);
        }
    }

    /** Refuses a key that cannot be stored. */
    public void require(Key key) {
        require(key.isAnchor(), Power.ANCHORS, key);
        require(!key.namespace().isEmpty(), Power.NAMESPACES, key);
    }

    /** Refuses what needs {@code power}. */
    public void require(Power power, @Nullable Key key) {
        require(true, power, key);
    }

    public boolean has(Power power) {
        return !dialect.lacks(power);
    }

    private void require(Key key, AttributePatch attributes) {
        require(!attributes.isEmpty(), Power.ATTRIBUTES, key);
    }

    private void require(boolean needed, Power power, @Nullable Key key) {
        if (needed && dialect.lacks(power)) {
            throw new UnsupportedPowerException(key, power, dialect.name());
        }
    }

    private void requireTerm(Term term) {
        boolean tooShort = term.duration().compareTo(dialect.early()) <= 0;
        if (tooShort || term.duration().compareTo(dialect.longestTerm()) > 0) {
            throw Check.bad(
                    "term",
                    term.duration(),
                    "> " + dialect.early() + " and <= " + dialect.longestTerm() + ", as layout " + dialect.name()
                            + " shares its table");
        }
    }
}
