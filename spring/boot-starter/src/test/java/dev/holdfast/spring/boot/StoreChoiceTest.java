package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.Once;
import dev.holdfast.spring.LeasesCustomizer;
import dev.holdfast.spring.TestApplication;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class StoreChoiceTest {
    /** An application without any setting of Holdfast. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({HoldfastAutoConfiguration.class, HoldfastWeavingAutoConfiguration.class})
    static class BareApplication {}

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void withoutAStoreTheReportOfTheStartNamesTheChoices(CapturedOutput output) {
        assertThat(catching(() -> SpringApplication.run(
                        BareApplication.class,
                        "--spring.main.banner-mode=off",
                        "--spring.main.web-application-type=none")))
                .isNotNull();

        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("holdfast.store is not set")
                .contains("datasource", "postgresql://", "dynamodb://", "http://", "sqlite:", "memory:")
                .contains("holdfast.enabled=false");
    }

    private static Throwable catching(Runnable start) {
        try {
            start.run();
            throw new AssertionError("it started");
        } catch (RuntimeException e) {
            return e;
        }
    }

    @Test
    void onePropertyIsEnough() {
        TestApplication.inMemory().run(context -> {
            assertThat(context).hasSingleBean(Leases.class).hasSingleBean(Once.class);
            assertThat(context.getBean(Leases.class).tryAcquire("a").isGranted())
                    .isTrue();
            assertThat(context.getBean(Once.class).run(Key.of("b"), lease -> {}))
                    .isInstanceOf(Once.Result.Ran.class);
        });
    }

    @Test
    void anUnknownStoreFailsTheStartAndNamesTheProperty() {
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.store=mongodb://db/secret")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("mongodb");
                    assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                            .hasMessageContaining("holdfast.store")
                            .hasMessageNotContaining("secret");
                });
    }

    @Test
    void aStoreWithoutItsArtifactNamesTheArtifact() {
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.store=http://localhost:7475")
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("holdfast-client"));
    }

    @Test
    void anUnreachableStoreFailsTheStart() {
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.store=postgresql://nobody@localhost:1/none")
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("cannot open the store of the property holdfast.store"));
    }

    @Test
    void aClientOfTheApplicationReplacesTheStore() {
        TestApplication.withoutStore()
                .withBean("own", Leases.class, () -> Holdfast.open("memory:"))
                .run(context -> {
                    assertThat(context).hasSingleBean(Leases.class).hasSingleBean(Once.class);
                    assertThat(context).doesNotHaveBean("leases");
                });
    }

    @Test
    void aDisabledHoldfastNeedsNoStore() {
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Leases.class));
    }

    /** Wants both stores by name, and the primary one without. */
    static class TwoStores {
        final Leases first;
        final Leases second;
        final Leases unnamed;

        TwoStores(
                @Qualifier("first") Leases first,
                @Qualifier("second") Leases second,
                @Qualifier("default") Leases unnamed) {
            this.first = first;
            this.second = second;
            this.unnamed = unnamed;
        }
    }

    @Test
    void severalStoresAreBeansWithQualifiers() {
        TestApplication.inMemory()
                .withPropertyValues("holdfast.stores.first.store=memory:", "holdfast.stores.second.store=memory:")
                .withBean(TwoStores.class)
                .run(context -> {
                    TwoStores stores = context.getBean(TwoStores.class);
                    assertThat(stores.first.tryAcquire("a").isGranted()).isTrue();
                    assertThat(stores.second.tryAcquire("a").isGranted()).isTrue();
                    assertThat(stores.unnamed.tryAcquire("a").isGranted()).isTrue();
                    assertThat(context.getBean(Leases.class)).isSameAs(stores.unnamed);
                });
    }

    @Test
    void theOnlyNamedStoreIsTheDefaultOne() {
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.stores.only.store=memory:")
                .run(context -> {
                    assertThat(context)
                            .hasSingleBean(Leases.class)
                            .hasSingleBean(Once.class)
                            .hasBean("onlyLeases");
                });
    }

    @Test
    void ofSeveralNamedStoresNoneIsTheDefault() {
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.stores.first.store=memory:", "holdfast.stores.second.store=memory:")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(Once.class);
                    assertThat(catching(() -> context.getBean(Leases.class)))
                            .isInstanceOf(NoUniqueBeanDefinitionException.class);
                });
    }

    @Test
    void aNamedStoreWithoutAUrlFailsTheStart() {
        TestApplication.inMemory()
                .withPropertyValues("holdfast.stores.first.store=")
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("holdfast.stores.first.store is not set"));
    }

    /** Two listeners and a customizer. */
    @Configuration(proxyBeanMethods = false)
    static class Listening {
        static final List<String> HEARD = new ArrayList<>();

        @Bean
        LeaseListener failing() {
            return new LeaseListener() {
                @Override
                public void onGranted(Key key, dev.holdfast.Fence fence) {
                    throw new IllegalStateException("on purpose");
                }
            };
        }

        @Bean
        LeaseListener hearing() {
            return new LeaseListener() {
                @Override
                public void onGranted(Key key, dev.holdfast.Fence fence) {
                    HEARD.add(key.name());
                }
            };
        }

        @Bean
        LeasesCustomizer naming() {
            return (store, options) -> options.holder("of-" + store);
        }
    }

    @Test
    void listenersAndCustomizersAreBeans() {
        TestApplication.inMemory().withUserConfiguration(Listening.class).run(context -> {
            var lease = context.getBean(Leases.class).tryAcquire("heard").orThrow();
            assertThat(Listening.HEARD).containsExactly("heard");
            assertThat(lease.holder().name()).isEqualTo("of-");
        });
    }

    @Test
    void theMetadataDescribesEveryProperty() throws Exception {
        try (var in = HoldfastProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            String json = new String(
                            java.util.Objects.requireNonNull(in).readAllBytes(),
                            java.nio.charset.StandardCharsets.UTF_8)
                    .replace("\\/", "/");
            assertThat(json)
                    .contains(
                            "holdfast.store\"",
                            "holdfast.annotations.wait-for",
                            "holdfast.health.timeout",
                            "there is no default")
                    .contains("holdfast.endpoint.writable", "postgresql://");
        }
    }
}
