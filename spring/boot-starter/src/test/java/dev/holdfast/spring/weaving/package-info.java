@NullMarked
package dev.holdfast.spring.weaving;

import org.jspecify.annotations.NullMarked;
