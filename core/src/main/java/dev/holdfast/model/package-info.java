/**
 * The values of the model, in the words of the glossary: key, holder, token, fence, term, entry, attributes.
 *
 * <p>All of them are immutable and checked when built. They depend on nothing else in Holdfast.
 */
@NullMarked
package dev.holdfast.model;

import org.jspecify.annotations.NullMarked;
