package dev.holdfast.spring.boot;

import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.spring.LeasesCustomizer;
import dev.holdfast.spring.LeasesOpener;
import dev.holdfast.spring.datasource.DataSourceStore;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The clients, unless the application defines one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(Leases.class)
@Import(NamedBeanRegistrar.Stores.class)
class StoreConfiguration {
    @Bean
    @ConditionalOnMissingBean
    StoreClientFactory holdfastStoreClientFactory(
            HoldfastProperties properties,
            BeanFactory beans,
            ObjectProvider<LeaseListener> listeners,
            ObjectProvider<ClientInstrumentation> instrumentation,
            ObjectProvider<LeasesCustomizer> customizers,
            ObjectProvider<LeasesOpener> replacements) {
        return new StoreClientFactory(
                properties, new DataSourceStore(beans), listeners, instrumentation, customizers, replacements);
    }
}
