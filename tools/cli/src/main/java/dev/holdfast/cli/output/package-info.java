/** What is shown: tables, JSON, progress lines, errors; nothing that is shown can upset a terminal or tell a password. */
@NullMarked
package dev.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
