/** The dashboard of a server: a page for people, its data, and the actions of operators. */
@NullMarked
package dev.holdfast.dashboard;

import org.jspecify.annotations.NullMarked;
