/** Calls of a server: to which, over what, and what became of them. */
@NullMarked
package dev.holdfast.client.link;

import org.jspecify.annotations.NullMarked;
