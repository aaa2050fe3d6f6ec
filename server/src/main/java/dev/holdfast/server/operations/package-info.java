/** Operation of a server: perimeter, metrics, health, and files that are read again when they change. */
@NullMarked
package dev.holdfast.server.operations;

import org.jspecify.annotations.NullMarked;
