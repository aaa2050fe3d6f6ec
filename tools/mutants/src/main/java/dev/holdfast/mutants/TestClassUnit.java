package dev.holdfast.mutants;

import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.pitest.testapi.AbstractTestUnit;
import org.pitest.testapi.Description;
import org.pitest.testapi.ResultCollector;

/** All tests of one class, until one fails. */
final class TestClassUnit extends AbstractTestUnit {
    private final String testClass;

    TestClassUnit(Class<?> testClass) {
        super(new Description(testClass.getSimpleName(), testClass));
        this.testClass = testClass.getName();
    }

    @Override
    public void execute(ResultCollector results) {
        results.notifyStart(getDescription());
        FirstFailure first = new FirstFailure();
        LauncherFactory.create()
                .execute(LauncherExecutionRequestBuilder.request(TestClassPlugin.request(testClass))
                        .listeners(first)
                        .cancellationToken(first.token)
                        .build());
        if (first.failure == null) {
            results.notifyEnd(getDescription());
        } else {
            results.notifyEnd(getDescription(), first.failure);
        }
    }

    /** The first failure. It ends the run. */
    private static final class FirstFailure implements TestExecutionListener {
        private final CancellationToken token = CancellationToken.create();
        private @Nullable Throwable failure;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED && failure == null) {
                failure = result.getThrowable().orElseGet(() -> new AssertionError(test.getDisplayName()));
                token.cancel();
            }
        }
    }
}
