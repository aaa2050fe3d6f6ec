/** Commands of others: started, told of signals, ended with all that they started. */
@NullMarked
package dev.holdfast.cli.child;

import org.jspecify.annotations.NullMarked;
