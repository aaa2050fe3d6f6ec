/** Options of the command line: each one is declared once and read where it is needed. */
@NullMarked
package dev.holdfast.cli.option;

import org.jspecify.annotations.NullMarked;
