package dev.holdfast.sqlite.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.sqlite.clock.BootClock.BootTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SystemBootClockTest {
    @TempDir
    private Path proc;

    @BeforeEach
    void writeProc() throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.createDirectories(proc.resolve("self/ns"));
        write("sys/kernel/random/boot_id", "56c04cec\n");
        write("self/mountinfo", "24 1 0:22 / /proc rw - proc proc rw\n25 1 8:1 / " + proc + "/uptimes rw - x y rw\n");
        write("uptime", "6079.99 7485.49\n");
        Files.createSymbolicLink(proc.resolve("self/ns/time"), Path.of("time:[4026531834]"));
    }

    @Test
    void returnsTheTimeSinceBootAndTheBoot() throws IOException {
        BootClock clock = new SystemBootClock(proc);
        assertThat(clock.now()).isEqualTo(new BootTime("56c04cec time:[4026531834]", 6_079_990_000_000L));

        write("uptime", "10000000.01 0.00\n");
        assertThat(Objects.requireNonNull(clock.now()).nanos()).isEqualTo(10_000_000_010_000_000L);
    }

    @Test
    void aKernelWithoutTimeNamespacesHasAClock() throws IOException {
        Files.delete(proc.resolve("self/ns/time"));

        assertThat(Objects.requireNonNull(new SystemBootClock(proc).now()).boot())
                .isEqualTo("56c04cec");
    }

    @Test
    void withoutABootIdThereIsNoClock() throws IOException {
        write("sys/kernel/random/boot_id", "\n");
        assertThat(new SystemBootClock(proc).now()).isNull();

        Files.delete(proc.resolve("sys/kernel/random/boot_id"));
        assertThat(new SystemBootClock(proc).now()).isNull();
        assertThat(new SystemBootClock(proc.resolve("nothing")).now()).isNull();
    }

    @Test
    void anUptimeThatCannotBeReadIsNoClock() throws IOException {
        write("uptime", "soon\n");
        assertThat(new SystemBootClock(proc).now()).isNull();

        write("uptime", "");
        assertThat(new SystemBootClock(proc).now()).isNull();
    }

    @Test
    void anUptimeThatSomethingIsMountedOverIsNoClock() throws IOException {
        write(
                "self/mountinfo",
                "24 1 0:22 / /proc rw - proc proc rw\n25 24 0:44 /proc/uptime " + proc
                        + "/uptime rw - fuse.lxcfs lxcfs rw\n");

        assertThat(new SystemBootClock(proc).now()).isNull();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void onLinuxTimePasses() {
        BootTime first = Objects.requireNonNull(BootClock.system().now());
        long startNanos = System.nanoTime();
        BootTime now = first;
        while (now.nanos() == first.nanos()) {
            assertThat(System.nanoTime() - startNanos)
                    .isLessThan(Duration.ofSeconds(10).toNanos());
            now = Objects.requireNonNull(BootClock.system().now());
        }

        assertThat(now.since(first.boot(), first.nanos())).isGreaterThanOrEqualTo(Duration.ofMillis(10));
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(proc.resolve(file), text);
    }
}
