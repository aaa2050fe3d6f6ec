package dev.holdfast.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A plain HTTP client for JSON requests. */
record Http(int port) {
    private static final ObjectMapper JSON = new ObjectMapper();

    Answer get(String path) {
        return request("GET", path, null);
    }

    Answer post(String path, String body) {
        return request("POST", path, body);
    }

    private Answer request(String method, String path, @Nullable String body) {
        try {
            HttpURLConnection connection = open(path);
            connection.setRequestMethod(method);
            if (body != null) {
                connection.setDoOutput(true);
                connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
            }
            int status = connection.getResponseCode();
            try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                String retryAfter = connection.getHeaderField("Retry-After");
                return new Answer(status, retryAfter, JSON.readTree(in.readAllBytes()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HttpURLConnection open(String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        connection.setReadTimeout(60_000);
        return connection;
    }

    record Answer(int status, @Nullable String retryAfter, JsonNode body) {
        String text(String field) {
            return body.path(field).asText();
        }
    }
}
