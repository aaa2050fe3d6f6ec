/** Tests that use the packages as their users do. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.packages;
