package dev.holdfast.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaderElection;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.Unit;
import dev.holdfast.spring.FleetWork;
import dev.holdfast.spring.Once;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application whose properties name stores that do not exist. */
@SpringBootTest(
        properties = {
            "holdfast.stores.archive.store=datasource",
            "holdfast.elections.chief.term=10s",
            "holdfast.fleets.shards.worker=w1"
        })
@HoldfastTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ManualClockApplicationTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Report report() {
            return new Report();
        }

        @Bean
        Shards shards() {
            return new Shards();
        }
    }

    static class Report {
        private final List<String> periods = new CopyOnWriteArrayList<>();

        @Once(key = "report-#{#period('10m')}")
        public void write() {
            periods.add(
                    String.valueOf(dev.holdfast.spring.CurrentLease.require().key()));
        }

        List<String> periods() {
            return periods;
        }
    }

    static class Shards implements FleetWork {
        @Override
        public String fleet() {
            return "shards";
        }

        @Override
        public void assigned(Unit unit) {}

        @Override
        public void revoked(Unit unit) {}
    }

    @Autowired
    Leases leases;

    @Autowired
    @Qualifier("archive")
    Leases archive;

    @Autowired
    ManualClock clock;

    @Autowired
    LeaderElection election;

    @Autowired
    Fleet fleet;

    @Autowired
    Report report;

    @Test
    @Order(1)
    void leasesExpireWhenTheTestMovesTheClock() {
        AcquireOptions once = AcquireOptions.defaults().autoRenew(false);
        assertThat(leases.tryAcquire(Key.of("a"), once).isGranted()).isTrue();
        assertThat(leases.tryAcquire("a").isGranted()).isFalse();

        clock.advance(Duration.ofSeconds(31));

        assertThat(leases.tryAcquire("a").isGranted()).isTrue();
    }

    @Test
    @Order(2)
    void theStoresAreEmptyAgain() {
        assertThat(leases.get(Key.of("a"))
                        .filter(status -> status.state() != LeaseState.FREE)
                        .isPresent())
                .isFalse();
        assertThat(archive.tryAcquire("a").isGranted()).isTrue();
    }

    @Test
    @Order(3)
    void periodsFollowTheClock() {
        report.write();
        report.write();
        clock.advance(Duration.ofMinutes(10));
        report.write();

        assertThat(report.periods()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    @Order(4)
    void electionsAndFleetsOutliveATest() {
        assertThat(election.isLeader()).isTrue();
        assertThat(fleet.isHealthy()).isTrue();
    }
}
