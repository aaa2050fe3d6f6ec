/** Tests of the command line. */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
