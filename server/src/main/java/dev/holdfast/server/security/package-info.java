/** Authentication, permissions, TLS, the check of host names, and the reload of their files. */
@NullMarked
package dev.holdfast.server.security;

import org.jspecify.annotations.NullMarked;
