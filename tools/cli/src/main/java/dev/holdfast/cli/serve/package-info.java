/** The server as a command. Loaded by that command alone, as no other has its libraries on the class path. */
@NullMarked
package dev.holdfast.cli.serve;

import org.jspecify.annotations.NullMarked;
