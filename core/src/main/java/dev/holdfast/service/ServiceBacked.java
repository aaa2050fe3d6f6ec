package dev.holdfast.service;

/**
 * A client that makes its requests to a {@link LeaseService}: all clients that Holdfast opens. A wrapper around {@link
 * dev.holdfast.AsyncLeases} that is to be used for fleets and elections implements this, too.
 */
public interface ServiceBacked {
    LeaseService service();
}
