/** Fleets that the application is a worker of. */
@NullMarked
package dev.holdfast.spring.fleets;

import org.jspecify.annotations.NullMarked;
