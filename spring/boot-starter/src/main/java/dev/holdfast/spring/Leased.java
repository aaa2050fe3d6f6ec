package dev.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that runs under a lease. The lease is acquired before the method, renewed while it runs, and released after it.
 *
 * <pre>{@code
 * @Leased(key = "orders-#{#id}", waitFor = "5s", term = "30s")
 * public void ship(long id) { ... }
 * }</pre>
 *
 * <p>The lease is acquired before a transaction of the same method begins, and released after the transaction has ended. A
 * method that returns a {@code CompletionStage} or a reactive type keeps its lease until that completes, fails or is cancelled.
 *
 * <p>If the lease is lost, the thread of the method is interrupted and the caller gets {@link
 * dev.holdfast.LeaseLostException}. If the key is not free in time, the caller gets {@link
 * dev.holdfast.NotGrantedException}, unless {@link #ifHeld} says otherwise.
 *
 * <p>Calls within the same object bypass every Spring proxy, so they run without the lease. A method that cannot be given a
 * lease for another reason fails the start of the application. The annotation may also be on a method of an interface.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Leased {
    /**
     * The name of the key: text with expressions such as <code>#{#id}</code>, where {@code #id} is a parameter of the method,
     * and with placeholders such as <code>${app.region}</code>. An expression that yields null or empty text is an error.
     */
    String key();

    /** The namespace of the key; may contain placeholders. */
    String namespace() default "";

    /** How long to wait for a free key, such as {@code 5s}. Default: the property {@code holdfast.annotations.wait-for}. */
    String waitFor() default "";

    /** The term of the lease, such as {@code 30s}. Default: the property {@code holdfast.annotations.term}. */
    String term() default "";

    /** The name of the store, as in {@code holdfast.stores.NAME}. Default: the store of {@code holdfast.store}. */
    String store() default "";

    /** The reaction when the key is not free in time. */
    IfHeld ifHeld() default IfHeld.FAIL;
}
