@NullMarked
package dev.holdfast.spring.bridges;

import org.jspecify.annotations.NullMarked;
