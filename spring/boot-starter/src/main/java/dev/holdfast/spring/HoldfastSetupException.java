package dev.holdfast.spring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the application cannot start with its settings or annotations. The message describes the problem; {@link
 * #action} says how to solve it.
 */
public final class HoldfastSetupException extends RuntimeException {
    private final String action;

    public HoldfastSetupException(String problem, String action) {
        this(problem, action, null);
    }

    public HoldfastSetupException(String problem, String action, @Nullable Throwable cause) {
        super(problem, cause);
        this.action = action;
    }

    /** How to solve the problem. */
    public String action() {
        return action;
    }
}
