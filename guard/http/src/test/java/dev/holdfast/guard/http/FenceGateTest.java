package dev.holdfast.guard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.guard.FenceGuard;
import dev.holdfast.guard.http.GateDecision.Passed;
import dev.holdfast.guard.http.GateDecision.Refused;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FenceGateTest {
    private static final Key KEY = Key.of("accounts", "1");
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000L);
    private static final long NOW_MICROS = 1_800_000_000_000_000L;
    private static final long HOUR_MICROS = 3_600_000_000L;

    @TempDir
    private Path folder;

    private @Nullable FenceGate gate;

    @BeforeEach
    void createTables() throws Exception {
        gate = gateOn(AccountTable.create(folder, false).dataSource());
    }

    private static FenceGate gateOn(DataSource memory) {
        return FenceGate.of(memory).clock(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private GateDecision decide(long fence) throws SQLException {
        return gate().decide(KEY, String.valueOf(fence));
    }

    private FenceGate gate() {
        return Objects.requireNonNull(gate);
    }

    private static GateRefusal reason(GateDecision decision) {
        assertThat(decision).isInstanceOf(Refused.class);
        return ((Refused) decision).reason();
    }

    @Test
    void anOlderFenceIsRefusedAndTheSameOnePasses() throws Exception {
        assertThat(decide(NOW_MICROS)).isEqualTo(new Passed(KEY, Fence.of(NOW_MICROS)));
        assertThat(decide(NOW_MICROS)).isInstanceOf(Passed.class);
        assertThat(decide(NOW_MICROS + 1)).isInstanceOf(Passed.class);

        assertThat(reason(decide(NOW_MICROS))).isEqualTo(GateRefusal.STALE);
        assertThat(gate().decide(Key.of("accounts", "2"), String.valueOf(NOW_MICROS)))
                .isInstanceOf(Passed.class);
    }

    @Test
    void aRefusalDoesNotDiscloseTheNewestFence() throws Exception {
        decide(NOW_MICROS + 17);

        assertThat(decide(NOW_MICROS))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.message())
                                .contains(String.valueOf(NOW_MICROS))
                                .doesNotContain(String.valueOf(NOW_MICROS + 17)));
    }

    @Test
    void aRequestWithoutAFenceIsRefused() throws Exception {
        assertThat(reason(gate().decide(KEY, (String) null))).isEqualTo(GateRefusal.MISSING);
        assertThat(reason(gate().decide(KEY, List.of()))).isEqualTo(GateRefusal.MISSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "old",
                "-1",
                "+1800000000000000",
                "1.8e15",
                "33",
                "999999999999999",
                "9999999999999999999",
                "18000000000000000000000",
                "\u0661\u0668\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660"
            })
    void aHeaderThatIsNotAFenceIsRefused(String header) throws Exception {
        assertThat(reason(gate().decide(KEY, header))).isEqualTo(GateRefusal.MALFORMED);
    }

    @Test
    void severalHeadersAreRefused() throws Exception {
        String fence = String.valueOf(NOW_MICROS);

        assertThat(reason(gate().decide(KEY, List.of(fence, fence)))).isEqualTo(GateRefusal.MALFORMED);
    }

    @Test
    void aFenceBeyondTheClockIsRefusedAndNotRemembered() throws Exception {
        assertThat(reason(decide(NOW_MICROS + HOUR_MICROS + 1))).isEqualTo(GateRefusal.BEYOND_CLOCK);
        assertThat(reason(decide(Long.MAX_VALUE))).isEqualTo(GateRefusal.BEYOND_CLOCK);
        assertThat(decide(NOW_MICROS)).isInstanceOf(Passed.class);
        assertThat(decide(NOW_MICROS + HOUR_MICROS)).isInstanceOf(Passed.class);
    }

    @Test
    void theToleranceCanBeChanged() throws Exception {
        FenceGate strict = gate().tolerance(Duration.ofSeconds(1));

        assertThat(reason(strict.decide(KEY, String.valueOf(NOW_MICROS + 1_000_001))))
                .isEqualTo(GateRefusal.BEYOND_CLOCK);
        assertThat(strict.decide(KEY, String.valueOf(NOW_MICROS + 1_000_000))).isInstanceOf(Passed.class);
        assertThatThrownBy(() -> strict.tolerance(Duration.ofSeconds(-1))).hasMessageContaining("expected: >= PT0S");
    }

    @Test
    void connectionsWithoutAutoCommitAreCommitted() throws Exception {
        JdbcDataSource automatic = new JdbcDataSource();
        automatic.setURL("jdbc:h2:" + folder.resolve("accounts"));
        InvocationHandler getConnection = (proxy, method, arguments) -> {
            Connection connection = automatic.getConnection();
            connection.setAutoCommit(false);
            return connection;
        };
        DataSource manual = (DataSource) Proxy.newProxyInstance(
                FenceGateTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, getConnection);
        FenceGate other = gateOn(manual);

        assertThat(other.decide(KEY, String.valueOf(NOW_MICROS + 1))).isInstanceOf(Passed.class);
        assertThat(reason(other.decide(KEY, String.valueOf(NOW_MICROS)))).isEqualTo(GateRefusal.STALE);
        assertThat(reason(decide(NOW_MICROS))).isEqualTo(GateRefusal.STALE);
    }

    @Test
    void withoutItsTableNothingPasses() {
        FenceGate broken = gate().guard(FenceGuard.jdbc().table("no_such_table"));

        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> broken.decide(KEY, String.valueOf(NOW_MICROS)))
                .withMessageContaining("CREATE TABLE no_such_table");
    }
}
