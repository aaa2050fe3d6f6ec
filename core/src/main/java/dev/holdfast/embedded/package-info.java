/**
 * Clients in this process: the API as requests to a service, and the service that decides them on a store. For modules
 * that open clients on stores of their own, or through a server; users open clients with {@link dev.holdfast.Holdfast}.
 */
@NullMarked
package dev.holdfast.embedded;

import org.jspecify.annotations.NullMarked;
