package dev.holdfast.spring.leadership;

import dev.holdfast.spring.HoldfastSetupException;
import dev.holdfast.spring.LeaderEvent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/** A method of a bean that listens to an election. */
final class LeaderMethod {
    private final Object bean;
    private final Method method;
    private final Class<?> event;

    private LeaderMethod(Object bean, Method method, Class<?> event) {
        this.bean = bean;
        this.method = method;
        this.event = event;
    }

    /** @throws HoldfastSetupException if the method cannot be called with an event */
    static LeaderMethod of(Object bean, Class<?> type, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isStatic(modifiers) || Modifier.isPrivate(modifiers)) {
            throw unusable(type, method, "it is static or private");
        }
        if (Modifier.isFinal(modifiers) && AopUtils.isCglibProxy(bean)) {
            throw unusable(type, method, "it is final, and its bean has a proxy");
        }
        try {
            Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
            ReflectionUtils.makeAccessible(invocable);
            return new LeaderMethod(bean, invocable, event(type, method));
        } catch (IllegalStateException e) {
            throw unusable(type, method, "the proxy of its bean does not have it");
        }
    }

    private static Class<?> event(Class<?> type, Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length == 0) {
            return LeaderEvent.Elected.class;
        }
        if (parameters.length == 1 && LeaderEvent.class.isAssignableFrom(parameters[0])) {
            return parameters[0];
        }
        throw unusable(
                type, method, "its parameters are not supported (expected: none, or one of LeaderEvent or a subtype)");
    }

    private static HoldfastSetupException unusable(Class<?> type, Method method, String problem) {
        return new HoldfastSetupException(
                "The method " + method.getName() + " of " + type.getName() + " cannot listen to an election: "
                        + problem,
                "Correct the method, or remove @Leader.");
    }

    boolean listensTo(LeaderEvent happened) {
        return event.isInstance(happened);
    }

    void call(LeaderEvent happened) throws Exception {
        try {
            Object unused = method.getParameterCount() == 0 ? method.invoke(bean) : method.invoke(bean, happened);
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }
}
