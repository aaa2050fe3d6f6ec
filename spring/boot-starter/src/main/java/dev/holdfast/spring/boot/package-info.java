/** The auto-configuration of Holdfast: properties, clients, elections, fleets and the order of a shutdown. */
@NullMarked
package dev.holdfast.spring.boot;

import org.jspecify.annotations.NullMarked;
