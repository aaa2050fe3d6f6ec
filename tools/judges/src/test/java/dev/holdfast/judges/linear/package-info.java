/** Tests of the search for an order of calls, without the model of leases. */
@NullMarked
package dev.holdfast.judges.linear;

import org.jspecify.annotations.NullMarked;
