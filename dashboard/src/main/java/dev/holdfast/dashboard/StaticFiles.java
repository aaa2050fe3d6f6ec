package dev.holdfast.dashboard;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.http.JsonResponses;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The static files of the page, from the class path. Browsers keep them, and ask each time whether they have changed. */
final class StaticFiles implements HttpService {
    private static final String FOLDER = "ui/";
    private static final String INDEX = "index.html";
    /** A path of plain names: no dots at the beginning, so none that leads out of the folder. */
    private static final Pattern PLAIN = Pattern.compile("(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-][A-Za-z0-9._-]*");

    private static final Map<String, MediaType> TYPES = Map.of(
            "html", MediaType.HTML_UTF_8,
            "js", MediaType.parse("text/javascript; charset=utf-8"),
            "css", MediaType.CSS_UTF_8,
            "svg", MediaType.SVG_UTF_8,
            "png", MediaType.PNG,
            "ico", MediaType.ICO,
            "json", MediaType.JSON_UTF_8,
            "txt", MediaType.PLAIN_TEXT_UTF_8,
            "md", MediaType.PLAIN_TEXT_UTF_8);

    /** The files that were asked for, at most as many as there are. */
    private final Map<String, StaticFile> files = new ConcurrentHashMap<>();

    private record StaticFile(HttpData contents, MediaType type, String tag) {}

    static HttpResponse redirect() {
        return HttpResponse.ofRedirect(HttpStatus.TEMPORARY_REDIRECT, "/ui/");
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        if (request.method() != HttpMethod.GET && request.method() != HttpMethod.HEAD) {
            return JsonResponses.notAllowed("GET, HEAD");
        }
        String path = ctx.mappedPath().substring(1);
        Optional<StaticFile> found = find(path.isEmpty() ? INDEX : path);
        if (found.isEmpty()) {
            return JsonResponses.notFound("path: " + ctx.path() + " (expected: a file of the dashboard)");
        }
        StaticFile file = found.get();
        boolean isKnown =
                request.headers().get(HttpHeaderNames.IF_NONE_MATCH, "").contains(file.tag);
        ResponseHeaders headers = ResponseHeaders.builder(isKnown ? HttpStatus.NOT_MODIFIED : HttpStatus.OK)
                .contentType(file.type)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-cache")
                .set(HttpHeaderNames.ETAG, file.tag)
                .build();
        boolean hasBody = !isKnown && request.method() == HttpMethod.GET;
        return hasBody ? HttpResponse.of(headers, file.contents) : HttpResponse.of(headers);
    }

    private Optional<StaticFile> find(String path) {
        StaticFile known = files.get(path);
        if (known != null) {
            return Optional.of(known);
        }
        MediaType type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
        if (type == null || !PLAIN.matcher(path).matches()) {
            return Optional.empty();
        }
        try (InputStream in = StaticFiles.class.getResourceAsStream(FOLDER + path)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] contents = in.readAllBytes();
            StaticFile file = new StaticFile(HttpData.wrap(contents), type, tag(contents));
            files.put(path, file);
            return Optional.of(file);
        } catch (IOException e) {
            return Optional.empty(); // The jar was removed while the server runs.
        }
    }

    private static String tag(byte[] contents) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(contents);
            return '"' + HexFormat.of().formatHex(hash, 0, 12) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
