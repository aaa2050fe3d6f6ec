@NullMarked
package dev.holdfast.spring.boot;

import org.jspecify.annotations.NullMarked;
