/**
 * One process in front of a store: gRPC and HTTP/JSON on one port.
 *
 * <p>Start at {@link dev.holdfast.server.HoldfastServer#builder}.
 */
@NullMarked
package dev.holdfast.server;

import org.jspecify.annotations.NullMarked;
