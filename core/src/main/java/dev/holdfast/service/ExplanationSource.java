package dev.holdfast.service;

import dev.holdfast.AsyncLeases;
import dev.holdfast.explanation.LeaseExplanation;
import java.util.concurrent.CompletionStage;

/**
 * A module's view of the keys that it manages, such as the units of a fleet. Sources are found with {@link
 * java.util.ServiceLoader} in the process that decides the requests.
 */
public interface ExplanationSource {
    /** Extends the explanation of a key. Returns it unchanged if this module does not manage the key. Never blocks. */
    CompletionStage<LeaseExplanation> extend(LeaseExplanation explanation, AsyncLeases leases);
}
