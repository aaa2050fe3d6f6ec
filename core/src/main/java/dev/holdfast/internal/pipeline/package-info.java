/** The stages of a request (queue, decide, write, conclude), with the cache of entries and the reader. */
@NullMarked
package dev.holdfast.internal.pipeline;

import org.jspecify.annotations.NullMarked;
