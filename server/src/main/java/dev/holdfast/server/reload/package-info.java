/** Files that are read again when they change. */
@NullMarked
package dev.holdfast.server.reload;

import org.jspecify.annotations.NullMarked;
