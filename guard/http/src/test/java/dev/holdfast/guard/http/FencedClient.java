package dev.holdfast.guard.http;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.MediaType;
import dev.holdfast.Lease;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.IntSupplier;

/** The clients that send the fence of a lease. */
enum FencedClient {
    JDK {
        @Override
        int put(Lease lease, URI uri, String body) throws Exception {
            HttpRequest request = request(uri, body);
            return FencedHttpClient.of(HttpClient.newHttpClient(), lease)
                    .send(request, BodyHandlers.discarding())
                    .statusCode();
        }
    },
    JDK_ASYNCHRONOUS {
        @Override
        int put(Lease lease, URI uri, String body) throws Exception {
            HttpRequest request = request(uri, body);
            return unwrapped(() -> FencedHttpClient.of(HttpClient.newHttpClient(), lease)
                    .sendAsync(request, BodyHandlers.discarding())
                    .join()
                    .statusCode());
        }
    },
    ARMERIA {
        @Override
        int put(Lease lease, URI uri, String body) throws Exception {
            WebClient client = WebClient.builder()
                    .responseTimeout(Duration.ofMinutes(2))
                    .decorator(FencedArmeriaClient.newDecorator(lease))
                    .build();
            return unwrapped(() -> client.prepare()
                    .put(uri.toString())
                    .content(MediaType.PLAIN_TEXT_UTF_8, body)
                    .header(FenceHeader.NAME, "replaced")
                    .execute()
                    .aggregate()
                    .join()
                    .status()
                    .code());
        }
    };

    /** Sends a request, which has another fence already, and returns the status. */
    abstract int put(Lease lease, URI uri, String body) throws Exception;

    private static HttpRequest request(URI uri, String body) {
        return HttpRequest.newBuilder(uri)
                .header("holdfast-fence", "replaced")
                .PUT(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static int unwrapped(IntSupplier call) throws Exception {
        try {
            return call.getAsInt();
        } catch (CompletionException e) {
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }
}
