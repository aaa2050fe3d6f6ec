/** Commands of operators: serve, store, token, import, and commands about the command itself. */
@NullMarked
package dev.holdfast.cli.command.admin;

import org.jspecify.annotations.NullMarked;
