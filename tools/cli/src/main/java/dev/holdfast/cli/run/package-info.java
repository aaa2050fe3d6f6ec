/** {@code run}, {@code once} and {@code elect}: the user's commands, with all processes that they start. */
@NullMarked
package dev.holdfast.cli.run;

import org.jspecify.annotations.NullMarked;
