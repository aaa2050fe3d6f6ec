package dev.holdfast.micrometer;

import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Acquires are spans of OpenTelemetry, through the bridge of Micrometer Tracing. */
class OpenTelemetryTest {
    private static final Key KEY = Key.of("orders", "42");

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();
    private final ObservationRegistry registry = ObservationRegistry.create();

    OpenTelemetryTest() {
        OtelTracer tracer = new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), event -> {});
        registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
    }

    @AfterEach
    void close() {
        provider.close();
    }

    @Test
    void anAcquireIsASpanBelowTheCallersSpan() {
        String fence;
        try (Leases leases = ObservedLeases.of(Holdfast.open("memory:"), registry)) {
            fence = Observation.createNotStarted("caller", registry).observe(() -> {
                try (Lease lease =
                        leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow()) {
                    return String.valueOf(lease.fence().value());
                }
            });
        }

        List<SpanData> spans = exporter.getFinishedSpanItems();
        assertThat(spans).extracting(SpanData::getName).containsExactly("holdfast acquire", "caller");
        SpanData acquire = spans.get(0);
        assertThat(acquire.getParentSpanId()).isEqualTo(spans.get(1).getSpanId());
        assertThat(acquire.getAttributes().get(stringKey("outcome"))).isEqualTo("granted");
        assertThat(acquire.getAttributes().get(stringKey("holdfast.key"))).isEqualTo("orders/42");
        assertThat(acquire.getAttributes().get(stringKey("holdfast.fence"))).isEqualTo(fence);
    }
}
