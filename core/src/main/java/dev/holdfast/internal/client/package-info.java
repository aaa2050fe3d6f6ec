/** The API on top of a pipeline in this process. */
@NullMarked
package dev.holdfast.internal.client;

import org.jspecify.annotations.NullMarked;
