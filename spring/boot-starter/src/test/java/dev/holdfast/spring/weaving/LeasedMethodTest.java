package dev.holdfast.spring.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.NotGrantedException;
import dev.holdfast.spring.CurrentLease;
import dev.holdfast.spring.IfHeld;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.TestApplication;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class LeasedMethodTest {
    private final ApplicationContextRunner application =
            TestApplication.inMemory().withBean(Orders.class).withBean("region", String.class, () -> "west");

    /** An annotation of an application, with its own defaults. */
    @Leased(key = "composed", waitFor = "0s")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Exclusive {}

    record Order(String id, Customer customer) {}

    record Customer(@Nullable String name) {}

    static class Orders {
        final Leases leases;

        Orders(Leases leases) {
            this.leases = leases;
        }

        boolean isHeld(String name) {
            return leases.get(Key.of(name)).map(status -> status.isHeld()).orElse(false);
        }

        @Leased(key = "orders-#{#id}", waitFor = "0s", term = "20s")
        public String ship(long id) {
            assertThat(CurrentLease.require().key()).isEqualTo(Key.of("orders-" + id));
            assertThat(CurrentLease.require().term()).hasSeconds(20);
            return "held: " + isHeld("orders-" + id);
        }

        @Leased(key = "#{#order.id}-#{#order.customer.name}-#{#p0.id.length()}", namespace = "${app.region:eu}")
        public Key keyOf(Order order) {
            return CurrentLease.require().key();
        }

        @Leased(key = "#{#period('1d')}")
        public Key ofToday() {
            return CurrentLease.require().key();
        }

        @Leased(key = "#{@region}-#{T(java.lang.Math).max(1, 2)}")
        public Key ofBean() {
            return CurrentLease.require().key();
        }

        @Exclusive
        public Key composed() {
            return CurrentLease.require().key();
        }

        @Leased(key = "skipped", waitFor = "0s", ifHeld = IfHeld.SKIP)
        public void skippable(AtomicBoolean ran) {
            ran.set(true);
        }

        @Leased(key = "skipped", waitFor = "0s", ifHeld = IfHeld.SKIP)
        public Optional<String> perhaps() {
            return Optional.of("ran");
        }

        @Leased(key = "long", waitFor = "0s", term = "1s")
        public void work(CountDownLatch began, AtomicBoolean interrupted) {
            began.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        }

        @Leased(key = "outer", waitFor = "0s", ifHeld = IfHeld.SKIP)
        public void outer(Orders self) {
            self.ship(7);
        }

        @Leased(key = "waited", waitFor = "1m")
        void packagePrivate() {}
    }

    @Test
    void theMethodRunsUnderItsLease() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThat(orders.ship(5)).isEqualTo("held: true");
            assertThat(context.getBean(Leases.class)
                            .get(Key.of("orders-5"))
                            .orElseThrow()
                            .isHeld())
                    .isFalse();
            assertThat(CurrentLease.get()).isEmpty();
        });
    }

    @Test
    void aHeldKeyIsRefused() {
        application.run(context -> {
            context.getBean(Leases.class).tryAcquire("orders-5").orThrow();

            assertThatThrownBy(() -> context.getBean(Orders.class).ship(5)).isInstanceOf(NotGrantedException.class);
            assertThat(context.getBean(Orders.class).ship(6)).isEqualTo("held: true");
        });
    }

    @Test
    void keysHaveExpressionsPlaceholdersAndBeans() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThat(orders.keyOf(new Order("o1", new Customer("ann")))).isEqualTo(Key.of("eu", "o1-ann-2"));
            assertThat(orders.ofToday().name()).endsWith("T00:00:00Z");
            assertThat(orders.ofBean()).isEqualTo(Key.of("west-2"));
            assertThat(orders.composed()).isEqualTo(Key.of("composed"));
        });
    }

    @Test
    void anExpressionThatYieldsNothingIsRefused() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);

            assertThatThrownBy(() -> orders.keyOf(new Order("o1", new Customer(null))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("#order.customer.name")
                    .hasMessageContaining("null");
        });
    }

    @Test
    void aCallMayBeSkipped() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            AtomicBoolean ran = new AtomicBoolean();
            var lease = context.getBean(Leases.class).tryAcquire("skipped").orThrow();

            orders.skippable(ran);
            assertThat(ran).isFalse();
            assertThat(orders.perhaps()).isEmpty();

            lease.release();
            orders.skippable(ran);
            assertThat(ran).isTrue();
            assertThat(orders.perhaps()).contains("ran");
        });
    }

    @Test
    void theRefusalOfANestedCallIsNotASkip() {
        application.run(context -> {
            context.getBean(Leases.class).tryAcquire("orders-7").orThrow();
            Orders orders = context.getBean(Orders.class);

            assertThatThrownBy(() -> orders.outer(orders)).isInstanceOf(NotGrantedException.class);
        });
    }

    @Test
    void aLossInterruptsTheMethodAndTheCallerLearnsOfIt() {
        application.run(context -> {
            Orders orders = context.getBean(Orders.class);
            Leases leases = context.getBean(Leases.class);
            CountDownLatch began = new CountDownLatch(1);
            AtomicBoolean interrupted = new AtomicBoolean();
            Thread operator = new Thread(() -> {
                try {
                    began.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                leases.evict(Key.of("long"), "for the test");
            });
            operator.start();

            assertThatThrownBy(() -> orders.work(began, interrupted))
                    .isInstanceOfSatisfying(
                            LeaseLostException.class,
                            lost -> assertThat(lost.reason()).isEqualTo(LostReason.EVICTED));
            assertThat(interrupted).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            operator.join();
        });
    }

    @Test
    void anInterruptedWaitIsReportedAndKept() {
        application.run(context -> {
            context.getBean(Leases.class).tryAcquire("waited").orThrow();
            Orders orders = context.getBean(Orders.class);
            Thread.currentThread().interrupt();

            assertThatThrownBy(orders::packagePrivate)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("waited");
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    /** An interface with the annotation. */
    interface Shipping {
        @Leased(key = "ship-#{#order}", waitFor = "0s")
        Key ship(String order);
    }

    /** A class that has no subclass, and another name of the parameter. */
    static final class FinalShipping implements Shipping {
        @Override
        public Key ship(String renamed) {
            return CurrentLease.require().key();
        }
    }

    static class OpenShipping implements Shipping {
        @Override
        public Key ship(String renamed) {
            return CurrentLease.require().key();
        }
    }

    @Test
    void theAnnotationMayBeOnAnInterface() {
        TestApplication.inMemory()
                .withBean("final", Shipping.class, FinalShipping::new)
                .withBean("open", Shipping.class, OpenShipping::new)
                .run(context -> context.getBeansOfType(Shipping.class)
                        .values()
                        .forEach(shipping -> assertThat(shipping.ship("7")).isEqualTo(Key.of("ship-7"))));
    }

    static class ByStore {
        @Leased(key = "same", waitFor = "0s", store = "second")
        public String inSecond(Leases first) {
            return first.tryAcquire("same") instanceof AcquireResult.Granted
                    ? "free in the first"
                    : "held in the first";
        }
    }

    @Test
    void aMethodNamesItsStore() {
        TestApplication.inMemory()
                .withPropertyValues("holdfast.stores.second.store=memory:")
                .withBean(ByStore.class)
                .run(context -> assertThat(context.getBean(ByStore.class).inSecond(context.getBean(Leases.class)))
                        .isEqualTo("free in the first"));
    }
}
