/** What can be asked on the command line: each option is declared once and read where it is needed. */
@NullMarked
package dev.holdfast.cli.option;

import org.jspecify.annotations.NullMarked;
