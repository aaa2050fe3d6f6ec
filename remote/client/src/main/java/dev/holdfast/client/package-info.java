/**
 * Leases through servers. The core decides whether a lease is valid and when to renew it. This package only sends
 * requests and receives responses.
 */
@NullMarked
package dev.holdfast.client;

import org.jspecify.annotations.NullMarked;
