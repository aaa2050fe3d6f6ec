package dev.holdfast.spring.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.Once;
import dev.holdfast.spring.TestApplication;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

class TransactionOrderTest {
    /** Records the state of the key whenever a transaction begins or ends. */
    static class RecordingTransactions extends AbstractPlatformTransactionManager {
        final List<String> events = new CopyOnWriteArrayList<>();
        private final transient Leases leases;

        RecordingTransactions(Leases leases) {
            this.leases = leases;
        }

        private void record(String event) {
            LeaseState state =
                    leases.get(Key.of("key")).map(found -> found.state()).orElse(LeaseState.FREE);
            events.add(event + " while " + state);
        }

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            record("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            record("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            record("rollback");
        }
    }

    interface Work {
        void leased();

        void once();

        void failing();

        CompletableFuture<String> async();
    }

    static class TransactionalWork implements Work {
        @Override
        @Leased(key = "key")
        @Transactional
        public void leased() {}

        @Override
        @Transactional
        @Once(key = "key")
        public void once() {}

        @Override
        @Transactional
        @Leased(key = "key")
        public void failing() {
            throw new IllegalStateException("on purpose");
        }

        @Override
        @Async
        @Transactional
        @Leased(key = "key")
        public CompletableFuture<String> async() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @EnableAsync
    static class Subclasses {
        @Bean
        RecordingTransactions transactions(Leases leases) {
            return new RecordingTransactions(leases);
        }

        @Bean
        Work work() {
            return new TransactionalWork();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLeaseIsHeldAroundTheTransaction(boolean subclasses) {
        TestApplication.inMemory()
                .withPropertyValues("spring.aop.proxy-target-class=" + subclasses)
                .withUserConfiguration(Subclasses.class)
                .run(context -> {
                    Leases leases = context.getBean(Leases.class);
                    Work work = context.getBean(Work.class);
                    RecordingTransactions transactions = context.getBean(RecordingTransactions.class);

                    work.leased();
                    assertThat(transactions.events).containsExactly("begin while HELD", "commit while HELD");
                    assertThat(state(leases)).isEqualTo(LeaseState.FREE);

                    transactions.events.clear();
                    assertThatThrownBy(work::failing).hasMessage("on purpose");
                    assertThat(transactions.events).containsExactly("begin while HELD", "rollback while HELD");
                    assertThat(state(leases)).isEqualTo(LeaseState.FREE);

                    transactions.events.clear();
                    assertThat(work.async().get(30, TimeUnit.SECONDS))
                            .isNotEqualTo(Thread.currentThread().getName());
                    assertThat(transactions.events).containsExactly("begin while HELD", "commit while HELD");

                    transactions.events.clear();
                    work.once();
                    assertThat(transactions.events).containsExactly("begin while HELD", "commit while HELD");
                    assertThat(state(leases)).isEqualTo(LeaseState.DONE);
                });
    }

    private static LeaseState state(Leases leases) {
        return leases.get(Key.of("key")).orElseThrow().state();
    }
}
