@NullMarked
package dev.holdfast.examples.shop;

import org.jspecify.annotations.NullMarked;
