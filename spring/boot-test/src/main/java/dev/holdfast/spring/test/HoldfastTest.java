package dev.holdfast.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/**
 * A test of a Spring Boot application with its leases in memory, and a clock that the test moves. All stores of the application
 * are replaced, whatever its properties say.
 *
 * <pre>{@code
 * @SpringBootTest
 * @HoldfastTest
 * class NightlyReportTest {
 *     @Autowired Leases leases;
 *     @Autowired ManualClock clock;
 *
 *     @Test
 *     void aCrashedWorkerIsReplaced() {
 *         leases.tryAcquire(Key.of("report"), AcquireOptions.defaults().autoRenew(false));
 *
 *         clock.advance(Duration.ofSeconds(31));
 *
 *         assertThat(leases.tryAcquire("report").isGranted()).isTrue();
 *     }
 * }
 * }</pre>
 *
 * <p>After each test, leases that are still held are released, and all keys are deleted, except those of elections and fleets.
 * The clock goes on from test to test.
 *
 * <p>A client that the application defines as a bean of its own is not replaced.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@TestPropertySource(properties = "holdfast.store=memory:")
@Import(HoldfastTestConfiguration.class)
public @interface HoldfastTest {}
