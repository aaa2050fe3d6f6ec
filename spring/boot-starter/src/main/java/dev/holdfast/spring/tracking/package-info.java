/** The leases that this application holds and waits for, as the health checks and the endpoint show them. */
@NullMarked
package dev.holdfast.spring.tracking;

import org.jspecify.annotations.NullMarked;
