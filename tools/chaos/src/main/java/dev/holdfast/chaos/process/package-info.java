/** The processes of stores: started, signalled, killed, and ended with this process. */
@NullMarked
package dev.holdfast.chaos.process;

import org.jspecify.annotations.NullMarked;
