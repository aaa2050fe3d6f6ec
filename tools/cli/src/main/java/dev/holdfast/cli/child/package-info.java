/** The user's commands: started, sent signals, and terminated with all processes that they started. */
@NullMarked
package dev.holdfast.cli.child;

import org.jspecify.annotations.NullMarked;
