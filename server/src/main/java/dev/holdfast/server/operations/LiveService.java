package dev.holdfast.server.operations;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.TransientHttpService;

/**
 * The liveness probe: the server is alive as long as it answers at all. It answers until the process ends, because a
 * server that finishes its work must not be killed while doing so.
 */
final class LiveService implements TransientHttpService {
    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        return request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD
                ? HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, "{\"healthy\":true}")
                : HttpResponse.of(HttpStatus.METHOD_NOT_ALLOWED);
    }
}
