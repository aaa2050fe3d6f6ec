package dev.holdfast.spring.boot;

import dev.holdfast.LeaderElection;
import dev.holdfast.Leases;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.spring.fleets.FleetManager;
import dev.holdfast.spring.leadership.ElectionManager;
import dev.holdfast.spring.tracking.LeaseTracker;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Registers the beans whose names are in properties. */
abstract class NamedBeanRegistrar implements ImportBeanDefinitionRegistrar {
    private final Environment environment;
    private final BeanFactory beans;

    NamedBeanRegistrar(Environment environment, BeanFactory beans) {
        this.environment = environment;
        this.beans = beans;
    }

    @Override
    public final void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
        register(Binder.get(environment).bindOrCreate("holdfast", HoldfastProperties.class), registry);
    }

    abstract void register(HoldfastProperties properties, BeanDefinitionRegistry registry);

    /** Registers a bean, unless the application has one of this name. */
    <T> @Nullable AbstractBeanDefinition add(
            BeanDefinitionRegistry registry, String beanName, String qualifier, Class<T> type, Supplier<T> supplier) {
        if (registry.containsBeanDefinition(beanName)) {
            return null;
        }
        AbstractBeanDefinition definition = BeanDefinitionBuilder.genericBeanDefinition(type, supplier)
                .setDestroyMethodName("close")
                .getBeanDefinition();
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, qualifier));
        registry.registerBeanDefinition(beanName, definition);
        return definition;
    }

    <T> T bean(Class<T> type) {
        return beans.getBean(type);
    }

    /** The clients of {@code holdfast.store} and {@code holdfast.stores.NAME}. */
    static final class Stores extends NamedBeanRegistrar {
        Stores(Environment environment, BeanFactory beans) {
            super(environment, beans);
        }

        @Override
        void register(HoldfastProperties properties, BeanDefinitionRegistry registry) {
            if (properties.store() != null || properties.stores().isEmpty()) {
                AbstractBeanDefinition definition = add(
                        registry,
                        LeaseTracker.DEFAULT_BEAN,
                        "default",
                        Leases.class,
                        () -> bean(StoreClientFactory.class).open(""));
                if (definition != null) {
                    definition.setPrimary(true);
                }
            }
            properties
                    .stores()
                    .keySet()
                    .forEach(name -> add(
                            registry,
                            name + LeaseTracker.BEAN_SUFFIX,
                            name,
                            Leases.class,
                            () -> bean(StoreClientFactory.class).open(name)));
        }
    }

    /** The elections and fleets. Lazy, so that they begin when the application has started, unless a bean needs them before. */
    static final class Groups extends NamedBeanRegistrar {
        Groups(Environment environment, BeanFactory beans) {
            super(environment, beans);
        }

        @Override
        void register(HoldfastProperties properties, BeanDefinitionRegistry registry) {
            properties
                    .elections()
                    .keySet()
                    .forEach(name -> lazy(add(
                            registry,
                            name + "Election",
                            name,
                            LeaderElection.class,
                            () -> bean(ElectionManager.class).open(name))));
            properties.fleets().forEach((name, fleet) -> {
                if (fleet.enabled()) {
                    lazy(add(
                            registry,
                            name + "Fleet",
                            name,
                            Fleet.class,
                            () -> bean(FleetManager.class).open(name)));
                }
            });
        }

        private static void lazy(@Nullable AbstractBeanDefinition definition) {
            if (definition != null) {
                definition.setLazyInit(true);
            }
        }
    }
}
