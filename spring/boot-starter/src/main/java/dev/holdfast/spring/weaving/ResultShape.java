package dev.holdfast.spring.weaving;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** The kind of result that a method has, which decides when its work is over. */
enum ResultShape {
    /** The work is over when the method returns. */
    IMMEDIATE,
    /** The work is over when the stage completes. */
    STAGE,
    /** The work is over when the publisher completes, fails or is cancelled. */
    REACTIVE;

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", ResultShape.class.getClassLoader());

    /** Results whose work goes on after the method has returned, with no way to learn of its end. */
    private static final Set<Class<?>> ENDLESS =
            Set.of(Future.class, BaseStream.class, Callable.class, Flow.Publisher.class);

    /** The same, of Spring MVC. */
    private static final Set<String> ENDLESS_NAMES = Set.of(
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.SseEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    /** @throws IllegalArgumentException if the end of the work cannot be known */
    static ResultShape of(Method method) {
        Class<?> type = method.getReturnType();
        if (KotlinDetector.isSuspendingFunction(method)) {
            throw new IllegalArgumentException(
                    "a suspending function is not supported (expected: a CompletionStage or a reactive type)");
        }
        if (CompletionStage.class.isAssignableFrom(type)) {
            if (!type.isAssignableFrom(CompletableFuture.class)) {
                throw new IllegalArgumentException(
                        "its result must be CompletableFuture or CompletionStage, not a subclass");
            }
            return STAGE;
        }
        if (adapter(type) != null) {
            return REACTIVE;
        }
        boolean endless = ENDLESS.stream().anyMatch(late -> late.isAssignableFrom(type));
        if (endless || ENDLESS_NAMES.contains(type.getName())) {
            throw new IllegalArgumentException("the work behind a " + type.getSimpleName()
                    + " may go on after the method has returned, and its end cannot be observed");
        }
        return IMMEDIATE;
    }

    static @Nullable ReactiveAdapter adapter(Class<?> type) {
        return REACTOR ? ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) : null;
    }

    /** Whether a method with this result can return an empty one instead of running. */
    boolean isSkippable(Class<?> type) {
        return this != IMMEDIATE || type == void.class || type == Void.class || type == Optional.class;
    }
}
