/** One class per command. */
@NullMarked
package dev.holdfast.cli.command;

import org.jspecify.annotations.NullMarked;
