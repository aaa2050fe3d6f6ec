package dev.holdfast.spring.weaving;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ClassUtils;

/** The methods with a lease of every class, found once. */
final class WovenMethods {
    private final WovenMethodReader reader;
    private final Map<Class<?>, Map<Method, WovenMethod>> byClass = new ConcurrentHashMap<>();

    WovenMethods(WovenMethodReader reader) {
        this.reader = reader;
    }

    /** The methods with a lease of this class; most classes have none. */
    Map<Method, WovenMethod> of(Class<?> type) {
        Class<?> user = ClassUtils.getUserClass(type);
        return FrameworkClasses.contain(user) ? Map.of() : byClass.computeIfAbsent(user, this::find);
    }

    private Map<Method, WovenMethod> find(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (Method method) -> reader.read(type, method));
    }

    @Nullable
    WovenMethod find(Method method, Class<?> type) {
        Map<Method, WovenMethod> woven = of(type);
        return woven.isEmpty()
                ? null
                : woven.get(AopUtils.getMostSpecificMethod(method, ClassUtils.getUserClass(type)));
    }

    /**
     * Checks that a proxy can intercept the methods.
     *
     * @param byInterface whether the proxy implements interfaces; otherwise it is a subclass
     */
    void check(Class<?> type, boolean byInterface) {
        for (Method method : of(type).keySet()) {
            String problem = problem(ClassUtils.getUserClass(type), method, byInterface);
            if (problem != null) {
                throw WovenMethodReader.unweavable(ClassUtils.getUserClass(type), method, problem);
            }
        }
    }

    private static @Nullable String problem(Class<?> type, Method method, boolean byInterface) {
        int modifiers = method.getModifiers();
        if (Modifier.isStatic(modifiers)) {
            return "it is static";
        }
        if (Modifier.isPrivate(modifiers)) {
            return "it is private";
        }
        if (byInterface) {
            return isInInterface(type, method)
                    ? null
                    : Modifier.isFinal(type.getModifiers())
                            ? "its class is final, and no interface of the class has the method"
                            : "the proxy of its class implements interfaces only, and none of them has the method";
        }
        return Modifier.isFinal(modifiers) ? "it is final" : null;
    }

    private static boolean isInInterface(Class<?> type, Method method) {
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .anyMatch(each -> ClassUtils.hasMethod(each, method.getName(), method.getParameterTypes()));
    }
}
