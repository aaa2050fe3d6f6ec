package dev.holdfast.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The requests of a dashboard, without a browser. */
record DashboardClient(int port, String session) {
    static final ObjectMapper JSON = new ObjectMapper();

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** A response whose body may be JSON. */
    record Reply(int status, HttpHeaders headers, String body) {
        JsonNode json() {
            try {
                return body.isEmpty() ? MissingNode.getInstance() : JSON.readTree(body);
            } catch (IOException e) {
                throw new UncheckedIOException(body, e);
            }
        }

        String text(String field) {
            return json().path(field).asText();
        }

        String header(String name) {
            return headers.firstValue(name).orElse("");
        }
    }

    String origin() {
        return "http://127.0.0.1:" + port;
    }

    Reply get(String path) {
        return send("GET", path, "", Map.of());
    }

    Reply post(String path, String body) {
        return send("POST", path, body, Map.of());
    }

    Reply logIn(String secret) {
        return send("POST", "/ui/api/session", "", Map.of("authorization", "Bearer " + secret));
    }

    /** Acts as an operator: the pairs are names and values of the body. */
    Reply act(String... pairs) {
        var body = JSON.createObjectNode();
        for (int i = 0; i < pairs.length; i += 2) {
            body.put(pairs[i], pairs[i + 1]);
        }
        return post("/ui/api/actions", body.toString());
    }

    /** @param changes headers that differ from those of the page; an empty value omits the header */
    Reply send(String method, String path, String body, Map<String, String> changes) {
        try {
            HttpResponse<String> response = HTTP.send(
                    request(method, path, body, changes), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return new Reply(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpRequest request(String method, String path, String body, Map<String, String> changes) {
        Map<String, String> headers = new HashMap<>(Map.of("x-holdfast-dashboard", "1"));
        if (!session.isEmpty()) {
            headers.put("authorization", "Session " + session);
        }
        if (!method.equals("GET")) {
            headers.put("origin", origin());
        }
        headers.putAll(changes);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin() + path))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        headers.forEach((name, value) -> {
            if (!value.isEmpty()) {
                request.header(name, value);
            }
        });
        return request.build();
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Opens a live view. */
    LiveModel live(String query) {
        try {
            HttpResponse<InputStream> response = HTTP.send(
                    request("GET", "/ui/api/live?" + query, "", Map.of()), HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                throw new AssertionError(response.statusCode() + " "
                        + new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
            }
            return new LiveModel(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
