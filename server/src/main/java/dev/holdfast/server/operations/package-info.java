/** Operation of a server: perimeter, metrics, health, and reloaded files. */
@NullMarked
package dev.holdfast.server.operations;

import org.jspecify.annotations.NullMarked;
