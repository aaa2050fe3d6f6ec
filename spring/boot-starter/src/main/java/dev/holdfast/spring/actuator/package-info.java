/** Health checks and the endpoint of Holdfast. */
@NullMarked
package dev.holdfast.spring.actuator;

import org.jspecify.annotations.NullMarked;
