/** The protected resource: a file that notes every write with its fence. */
@NullMarked
package dev.holdfast.chaos.resource;

import org.jspecify.annotations.NullMarked;
