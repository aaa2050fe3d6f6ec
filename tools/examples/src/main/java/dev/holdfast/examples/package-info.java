/** Small programs to begin with; README.md in this module says what each shows. */
@NullMarked
package dev.holdfast.examples;

import org.jspecify.annotations.NullMarked;
