/** Operation of a server: perimeter, metrics and health. */
@NullMarked
package dev.holdfast.server.operations;

import org.jspecify.annotations.NullMarked;
