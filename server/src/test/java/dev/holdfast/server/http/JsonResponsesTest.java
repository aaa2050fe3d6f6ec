package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import dev.holdfast.server.log.ExpectedLog;
import org.junit.jupiter.api.Test;

class JsonResponsesTest {
    @Test
    @ExpectedLog("bug in Holdfast")
    void anUnexpectedErrorIsNotReportedAsNotApplied() {
        AggregatedHttpResponse response = JsonResponses.failed(new IllegalStateException("after the write"))
                .aggregate()
                .join();

        assertThat(response.status().code()).isEqualTo(500);
        assertThat(response.contentUtf8()).contains("\"mayBeApplied\":true").doesNotContain("after the write");
    }

    @Test
    void pathsHaveFewRoutes() {
        assertThat(HttpPath.route("/v1/leases")).isEqualTo("/v1/leases");
        assertThat(HttpPath.route("/v1/leases/a%2Fb")).isEqualTo("/v1/leases/{name}");
        assertThat(HttpPath.route("/v1/leases/deploy/acquire")).isEqualTo("/v1/leases/{name}/acquire");
        assertThat(HttpPath.route("/v1/leases/deploy/anything")).isEqualTo("/v1/*");
        assertThat(HttpPath.route("/v1/leases/a/b/c")).isEqualTo("/v1/*");
        assertThat(HttpPath.route("/v1/watch")).isEqualTo("/v1/watch");
        assertThat(HttpPath.route("/v1/")).isEqualTo("/v1/*");
    }
}
