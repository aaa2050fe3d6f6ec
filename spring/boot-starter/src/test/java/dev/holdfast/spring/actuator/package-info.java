@NullMarked
package dev.holdfast.spring.actuator;

import org.jspecify.annotations.NullMarked;
