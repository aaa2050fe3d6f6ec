/**
 * The server as a command. Only {@code serve} and {@code token} load these classes: other commands lack their
 * libraries.
 */
@NullMarked
package dev.holdfast.cli.serve;

import org.jspecify.annotations.NullMarked;
