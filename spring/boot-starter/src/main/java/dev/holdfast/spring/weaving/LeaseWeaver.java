package dev.holdfast.spring.weaving;

import dev.holdfast.spring.HoldfastSetupException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Gives the annotated methods of all beans their leases, and fails the start of the application where it cannot.
 *
 * <p>It runs after the post-processor that creates the proxies of {@code @Transactional}, and puts its own interceptor before
 * all others of the proxy: the lease is acquired before the transaction begins, and released after it has ended. It runs before
 * the post-processor of {@code @Async}, whose interceptor must stay the first one.
 */
public final class LeaseWeaver extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {
    private static final int BEFORE_ASYNC = Ordered.LOWEST_PRECEDENCE - 10;

    private final AnnotationDefaults defaults;
    private final StoreLookup stores;
    private final RunningCalls running;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private @Nullable WovenMethods methods;
    /** The superclass of Spring 6 keeps its own to itself. */
    private @Nullable ConfigurableListableBeanFactory beans;

    /** @param proxyTargetClass whether proxies are subclasses, even where there are interfaces */
    public LeaseWeaver(
            AnnotationDefaults defaults, StoreLookup stores, RunningCalls running, boolean proxyTargetClass) {
        this.defaults = defaults;
        this.stores = stores;
        this.running = running;
        setProxyTargetClass(proxyTargetClass);
        setBeforeExistingAdvisors(true);
        setOrder(BEFORE_ASYNC);
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        super.setBeanFactory(beanFactory);
        ConfigurableListableBeanFactory listable = (ConfigurableListableBeanFactory) beanFactory;
        WovenMethods found = new WovenMethods(new WovenMethodReader(listable, defaults));
        beans = listable;
        methods = found;
        advisor = new DefaultPointcutAdvisor(new AnnotatedMethods(found), new LeaseInterceptor(found, stores, running));
    }

    @Override
    protected boolean isEligible(Class<?> targetClass) {
        return methods != null && !methods.of(targetClass).isEmpty();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AopInfrastructureBean) {
            return bean;
        }
        seen.add(beanName);
        Class<?> type = AopUtils.getTargetClass(bean);
        if (!isEligible(type)) {
            return bean;
        }
        WovenMethods found = Objects.requireNonNull(methods);
        found.check(type, isProxiedByInterface(bean, type));
        found.of(type).values().forEach(method -> checkStore(type, method));
        return super.postProcessAfterInitialization(bean, beanName);
    }

    private boolean isProxiedByInterface(Object bean, Class<?> type) {
        if (AopUtils.isAopProxy(bean)) {
            return AopUtils.isJdkDynamicProxy(bean);
        }
        boolean hasInterfaces = ClassUtils.getAllInterfacesForClass(type).length > 0;
        return Proxy.isProxyClass(type) || isFinal(type) || (!isProxyTargetClass() && hasInterfaces);
    }

    private static boolean isFinal(Class<?> type) {
        return Modifier.isFinal(type.getModifiers());
    }

    private void checkStore(Class<?> type, WovenMethod method) {
        String problem = stores.problem(method.store());
        if (problem != null) {
            throw WovenMethodReader.unweavable(type, method.method(), problem);
        }
    }

    /** A final class has no subclass, but its interfaces may do. */
    @Override
    protected ProxyFactory prepareProxyFactory(Object bean, String beanName) {
        ProxyFactory factory = super.prepareProxyFactory(bean, beanName);
        if (isFinal(bean.getClass())) {
            factory.setProxyTargetClass(false);
        }
        return factory;
    }

    /**
     * Finds beans that were created before this post-processor, or were registered as they are: they have no proxy.
     *
     * @throws HoldfastSetupException if such a bean has a method with a lease
     */
    @Override
    public void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory all = Objects.requireNonNull(beans);
        for (String name : all.getSingletonNames()) {
            Object bean = seen.contains(name) ? null : all.getSingleton(name);
            if (bean != null && !(bean instanceof AopInfrastructureBean) && isEligible(AopUtils.getTargetClass(bean))) {
                Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
                Method first = Objects.requireNonNull(methods)
                        .of(type)
                        .keySet()
                        .iterator()
                        .next();
                throw WovenMethodReader.unweavable(
                        type,
                        first,
                        "the bean '" + name + "' was created before beans get proxies, or outside of Spring");
            }
        }
    }

    /** The methods with a lease. */
    private static final class AnnotatedMethods extends StaticMethodMatcherPointcut {
        private final WovenMethods methods;

        AnnotatedMethods(WovenMethods methods) {
            this.methods = methods;
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return methods.find(method, targetClass) != null;
        }
    }
}
