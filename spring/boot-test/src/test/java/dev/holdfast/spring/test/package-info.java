@NullMarked
package dev.holdfast.spring.test;

import org.jspecify.annotations.NullMarked;
