/** Tests of the code that server and client share. */
@NullMarked
package dev.holdfast.wire;

import org.jspecify.annotations.NullMarked;
