/**
 * accord's protocol on Holdfast's leases: an accord client can use this server instead of accord's own.
 *
 * <p>A handle is a grant, its id the token, its owner the holder, its metadata the attributes.
 */
@NullMarked
package dev.holdfast.accord;

import org.jspecify.annotations.NullMarked;
