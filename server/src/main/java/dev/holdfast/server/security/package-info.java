/** Authentication, permissions, TLS and the check of host names. */
@NullMarked
package dev.holdfast.server.security;

import org.jspecify.annotations.NullMarked;
