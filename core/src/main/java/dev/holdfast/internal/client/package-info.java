/** The API on an engine in this process: leases that are held, and what keeps them alive. */
@NullMarked
package dev.holdfast.internal.client;

import org.jspecify.annotations.NullMarked;
