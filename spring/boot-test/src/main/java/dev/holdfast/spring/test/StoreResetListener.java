package dev.holdfast.spring.test;

import dev.holdfast.Key;
import dev.holdfast.LeaderElection;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.spring.leadership.ElectionManager;
import dev.holdfast.spring.tracking.LeaseTracker;
import dev.holdfast.spring.tracking.TrackedLeases;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Empties the stores after each test with {@link HoldfastTest}, as tests share an application. */
final class StoreResetListener implements TestExecutionListener {
    @Override
    public void afterTestMethod(TestContext test) {
        if (test.hasApplicationContext()
                && AnnotatedElementUtils.hasAnnotation(test.getTestClass(), HoldfastTest.class)) {
            reset(test.getApplicationContext());
        }
    }

    private static void reset(ApplicationContext application) {
        Set<Key> kept = application.getBean(ElectionManager.class).elections().values().stream()
                .flatMap(election -> leading(election).stream())
                .collect(Collectors.toSet());
        application.getBean(LeaseTracker.class).clients().forEach(client -> reset(client, kept));
    }

    private static List<Key> leading(LeaderElection election) {
        return election.leading().map(Lease::key).stream().toList();
    }

    private static void reset(TrackedLeases client, Set<Key> kept) {
        client.registry().held().stream()
                .filter(lease -> isOfTest(lease.key(), kept))
                .forEach(Lease::close);
        List<Key> keys = client.list(LeaseFilter.all())
                .filter(status -> !status.isHeld())
                .map(LeaseStatus::key)
                .filter(key -> isOfTest(key, kept))
                .toList();
        keys.forEach(client::delete);
    }

    private static boolean isOfTest(Key key, Set<Key> kept) {
        boolean isOfFleet = key.isReserved() || key.namespace().startsWith("fleet/");
        return !isOfFleet && !kept.contains(key);
    }
}
