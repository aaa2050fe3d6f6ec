package dev.holdfast.guard.http;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import dev.holdfast.guard.StaleFenceException;
import dev.holdfast.guard.http.GateDecision.Passed;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.jspecify.annotations.Nullable;

/** A real server on a free port: GET and PUT of {@code /accounts/1}, whose body is the balance. */
interface AccountServer extends AutoCloseable {
    /** The address of an account. */
    URI account(int id);

    @Override
    void close();

    /** The key of the lease that a write needs. */
    static Key keyOf(int account) {
        return Key.of("accounts", String.valueOf(account));
    }

    /** The servers that have a gate. */
    enum Kind {
        TOMCAT {
            @Override
            AccountServer start(AccountTable table, Path folder, boolean gated) throws Exception {
                return OfTomcat.start(table, folder, gated);
            }
        },
        ARMERIA {
            @Override
            AccountServer start(AccountTable table, Path folder, boolean gated) {
                return OfArmeria.start(table, gated);
            }
        };

        abstract AccountServer start(AccountTable table, Path folder, boolean gated) throws Exception;
    }

    /** Tomcat, with a servlet behind the filter. */
    record OfTomcat(Tomcat tomcat) implements AccountServer {
        /** Otherwise it would be collected, and its level with it. */
        private static final Logger LOGGER = Logger.getLogger("org.apache");

        static AccountServer start(AccountTable table, Path folder, boolean gated) throws Exception {
            LOGGER.setLevel(Level.OFF);
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(folder.toString());
            tomcat.setPort(0);
            tomcat.getConnector().setProperty("address", "127.0.0.1");
            Context context = tomcat.addContext("", folder.toString());
            Tomcat.addServlet(context, "accounts", new AccountServlet(table));
            context.addServletMappingDecoded("/accounts/*", "accounts");
            if (gated) {
                addFilter(context, new FenceGateFilter(FenceGate.of(table.dataSource()), OfTomcat::keyOf));
            }
            tomcat.start();
            return new OfTomcat(tomcat);
        }

        private static @Nullable Key keyOf(HttpServletRequest request) {
            return request.getMethod().equals("GET") ? null : AccountServer.keyOf(accountOf(request));
        }

        private static int accountOf(HttpServletRequest request) {
            return Integer.parseInt(request.getPathInfo().substring(1));
        }

        private static void addFilter(Context context, FenceGateFilter filter) {
            FilterDef definition = new FilterDef();
            definition.setFilterName("gate");
            definition.setFilter(filter);
            context.addFilterDef(definition);
            FilterMap mapping = new FilterMap();
            mapping.setFilterName("gate");
            mapping.addURLPattern("/accounts/*");
            context.addFilterMap(mapping);
        }

        @Override
        public URI account(int id) {
            return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/accounts/" + id);
        }

        @Override
        public void close() {
            try {
                tomcat.stop();
                tomcat.destroy();
            } catch (LifecycleException e) {
                throw new IllegalStateException("Tomcat does not stop", e);
            }
        }
    }

    /** The servlet. With the query {@code wrapped}, it wraps its exceptions as frameworks do. */
    final class AccountServlet extends HttpServlet {
        private final transient AccountTable table;

        AccountServlet(AccountTable table) {
            this.table = table;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                response.getWriter().print(table.balance(OfTomcat.accountOf(request)));
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            table.entered.countDown();
            String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Supplier<Passed> passed = () -> FenceGateFilter.passed(request);
            try {
                table.write(OfTomcat.accountOf(request), Integer.parseInt(body), passed);
            } catch (SQLException e) {
                throw new IOException(e);
            } catch (StaleFenceException e) {
                if ("wrapped".equals(request.getQueryString())) {
                    throw new ServletException(e);
                }
                throw e;
            }
        }
    }

    /** Armeria, with a service behind the decorator. */
    record OfArmeria(Server server) implements AccountServer {
        static AccountServer start(AccountTable table, boolean gated) {
            HttpService accounts = (ctx, request) -> ctx.method() == HttpMethod.GET ? get(table, ctx) : put(table, ctx);
            FenceGate gate = FenceGate.of(table.dataSource());
            Server server = Server.builder()
                    .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .requestTimeout(Duration.ofMinutes(2))
                    .service(
                            "/accounts/{id}",
                            gated ? accounts.decorate(FenceGateService.newDecorator(gate, OfArmeria::keyOf)) : accounts)
                    .build();
            server.start().join();
            return new OfArmeria(server);
        }

        private static @Nullable Key keyOf(ServiceRequestContext ctx) {
            return ctx.method() == HttpMethod.GET ? null : AccountServer.keyOf(accountOf(ctx));
        }

        private static int accountOf(ServiceRequestContext ctx) {
            return Integer.parseInt(String.valueOf(ctx.pathParam("id")));
        }

        private static HttpResponse get(AccountTable table, ServiceRequestContext ctx) {
            return HttpResponse.of(
                    () -> {
                        try {
                            return HttpResponse.of(String.valueOf(table.balance(accountOf(ctx))));
                        } catch (SQLException e) {
                            return HttpResponse.ofFailure(e);
                        }
                    },
                    ctx.blockingTaskExecutor());
        }

        private static HttpResponse put(AccountTable table, ServiceRequestContext ctx) {
            table.entered.countDown();
            return HttpResponse.of(ctx.request()
                    .aggregate()
                    .thenApplyAsync(
                            body -> {
                                try {
                                    int balance = Integer.parseInt(body.contentUtf8());
                                    table.write(accountOf(ctx), balance, () -> FenceGateService.passed(ctx));
                                    return HttpResponse.of(200);
                                } catch (SQLException e) {
                                    return HttpResponse.ofFailure(e);
                                }
                            },
                            ctx.blockingTaskExecutor()));
        }

        @Override
        public URI account(int id) {
            return URI.create("http://127.0.0.1:" + server.activeLocalPort() + "/accounts/" + id);
        }

        @Override
        public void close() {
            server.stop().join();
        }
    }
}
