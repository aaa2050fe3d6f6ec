/** Limits of connections, requests, bodies and waits, so that one client cannot use up what all share. */
@NullMarked
package dev.holdfast.server.limits;

import org.jspecify.annotations.NullMarked;
