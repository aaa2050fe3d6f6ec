/**
 * HTTP requests that carry a fence, and servers that refuse an old one.
 *
 * <p><b>A gate alone leaves a gap.</b> A request that passed the gate before a newer fence arrived can still write. Only a check
 * of the fence in the transaction of the write closes that gap. See {@link dev.holdfast.guard.http.FenceGate}.
 */
@NullMarked
package dev.holdfast.guard.http;

import org.jspecify.annotations.NullMarked;
