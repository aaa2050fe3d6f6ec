package dev.holdfast.spring.boot;

import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;

/** Measures the clients that the auto-configuration opens. */
public interface ClientInstrumentation {
    /** The listener for the client of a store. */
    LeaseListener listener(String store);

    /** The client that the application uses, around the one that was opened. */
    Leases wrap(Leases leases);
}
