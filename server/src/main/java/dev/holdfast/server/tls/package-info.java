/** TLS whose certificates are read again when their files change. */
@NullMarked
package dev.holdfast.server.tls;

import org.jspecify.annotations.NullMarked;
