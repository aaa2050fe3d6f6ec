/** Elections of the application, and the methods that listen to them. */
@NullMarked
package dev.holdfast.spring.leadership;

import org.jspecify.annotations.NullMarked;
