/** The sources of the views: what each of them reads and shows. */
@NullMarked
package dev.holdfast.dashboard.view;

import org.jspecify.annotations.NullMarked;
