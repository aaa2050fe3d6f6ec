/**
 * Leases through servers. What a holder believes, and what keeps its leases alive, is core's: only how a request gets to
 * its answer is here.
 */
@NullMarked
package dev.holdfast.client;

import org.jspecify.annotations.NullMarked;
