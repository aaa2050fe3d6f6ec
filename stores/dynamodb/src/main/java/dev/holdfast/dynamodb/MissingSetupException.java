package dev.holdfast.dynamodb;

import dev.holdfast.StoreException;

/** Rejection of all requests because a part of the setup is missing. The message names the remedy. */
public final class MissingSetupException extends StoreException {
    /** The missing part. */
    public enum Part {
        TABLE,
        REGION
    }

    private final Part part;
    private final String remedy;

    /** @param remedy a part of the message, which a tool with other commands may replace */
    public MissingSetupException(Part part, String remedy, String message, Throwable cause) {
        super(null, Effect.NOT_APPLIED, false, message, cause);
        this.part = part;
        this.remedy = remedy;
    }

    public Part part() {
        return part;
    }

    public String remedy() {
        return remedy;
    }
}
