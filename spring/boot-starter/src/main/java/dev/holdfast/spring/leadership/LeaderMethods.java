package dev.holdfast.spring.leadership;

import dev.holdfast.spring.Leader;
import dev.holdfast.spring.LeaderEvent;
import dev.holdfast.spring.weaving.FrameworkClasses;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Finds the methods with {@link Leader} when all beans exist, and calls them. */
public final class LeaderMethods implements SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(LeaderMethods.class);

    private final ConfigurableListableBeanFactory beans;
    private final Map<String, List<LeaderMethod>> byElection = new LinkedHashMap<>();

    public LeaderMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                addMethods(name);
            }
        }
    }

    private void addMethods(String beanName) {
        Class<?> found = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (found == null || FrameworkClasses.contain(ClassUtils.getUserClass(found))) {
            return;
        }
        Class<?> type = ClassUtils.getUserClass(found);
        Map<Method, @Nullable Leader> methods = MethodIntrospector.selectMethods(
                type, (Method method) -> AnnotatedElementUtils.findMergedAnnotation(method, Leader.class));
        methods.forEach((method, leader) -> {
            if (leader != null) {
                String election = String.valueOf(beans.resolveEmbeddedValue(leader.value()));
                byElection
                        .computeIfAbsent(election, key -> new ArrayList<>())
                        .add(LeaderMethod.of(beans.getBean(beanName), type, method));
            }
        });
    }

    /** The elections that have listeners. */
    Set<String> elections() {
        return byElection.keySet();
    }

    /** Calls the methods one after another, until one throws. */
    void elected(LeaderEvent.Elected event) throws Exception {
        for (LeaderMethod method : listeners(event)) {
            method.call(event);
        }
    }

    /** Calls all methods, even if one throws. */
    @SuppressWarnings("IllegalCatch")
    void lost(LeaderEvent.Lost event) {
        for (LeaderMethod method : listeners(event)) {
            try {
                method.call(event);
            } catch (Throwable e) {
                log.warn("{}: a listener to the loss of the leadership failed", event.election(), e);
            }
        }
    }

    private List<LeaderMethod> listeners(LeaderEvent event) {
        return byElection.getOrDefault(event.election(), List.of()).stream()
                .filter(method -> method.listensTo(event))
                .toList();
    }
}
