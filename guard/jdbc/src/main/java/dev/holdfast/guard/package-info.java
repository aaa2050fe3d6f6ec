/** Resources that refuse a fence that is older than one they have seen. */
@NullMarked
package dev.holdfast.guard;

import org.jspecify.annotations.NullMarked;
