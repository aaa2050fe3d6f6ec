/** Tools that the modules of Holdfast share: futures, checks of arguments, texts. Not for users. */
@NullMarked
package dev.holdfast.support;

import org.jspecify.annotations.NullMarked;
