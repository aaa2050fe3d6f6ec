/** Commands for operators: serve, store, token, import, bench, and commands about the command line itself. */
@NullMarked
package dev.holdfast.cli.command.admin;

import org.jspecify.annotations.NullMarked;
