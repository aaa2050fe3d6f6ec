/** Limits on connections, requests, bodies and waits, so that one client cannot use up the resources of all. */
@NullMarked
package dev.holdfast.server.limits;

import org.jspecify.annotations.NullMarked;
