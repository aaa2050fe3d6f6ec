package dev.holdfast.spring.datasource;

import dev.holdfast.spring.HoldfastSetupException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.util.ClassUtils;

/**
 * The store {@code datasource}: the PostgreSQL database of a DataSource of the application. Holdfast reads the settings of the
 * DataSource and opens connections of its own. So a renewal never waits for the application's pool, and never becomes part of
 * a transaction of the application.
 */
public final class DataSourceStore {
    private static final String NAME = "datasource";
    private static final String ACTION = "Use a DataSource of PostgreSQL, choose one with datasource:BEAN, or name the"
            + " database in full: postgresql://USER:PASSWORD@HOST/DATABASE.";
    private static final boolean HAS_DETAILS = ClassUtils.isPresent(
            "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails",
            DataSourceStore.class.getClassLoader());

    private final BeanFactory beans;

    public DataSourceStore(BeanFactory beans) {
        this.beans = beans;
    }

    /** Whether a property names a DataSource: {@code datasource}, {@code datasource:BEAN}, both with parameters or not. */
    public static boolean isDataSource(String store) {
        return store.equals(NAME) || store.startsWith(NAME + ":") || store.startsWith(NAME + "?");
    }

    /** The URL of the store behind a DataSource. */
    public String url(String store, String property) {
        int query = store.indexOf('?');
        String parameters = query < 0 ? "" : store.substring(query + 1);
        String chosen = query < 0 ? store : store.substring(0, query);
        String bean = chosen.equals(NAME) ? "" : chosen.substring(NAME.length() + 1);
        try {
            return PostgresUrlBuilder.of(settings(bean), parameters);
        } catch (NoUniqueBeanDefinitionException e) {
            throw failed(property, "there are several DataSource beans and none of them is primary", e);
        } catch (NoSuchBeanDefinitionException e) {
            throw failed(
                    property, bean.isEmpty() ? "there is no DataSource bean" : "there is no bean '" + bean + "'", e);
        } catch (IllegalArgumentException e) {
            throw failed(property, String.valueOf(e.getMessage()), e);
        }
    }

    private static HoldfastSetupException failed(String property, String problem, Throwable cause) {
        return new HoldfastSetupException(
                "Holdfast cannot use the DataSource that the property " + property + " asks for: " + problem + ".",
                ACTION,
                cause);
    }

    private ConnectionSettings settings(String bean) {
        DataSource source = bean.isEmpty() ? beans.getBean(DataSource.class) : beans.getBean(bean, DataSource.class);
        ConnectionSettings read = DataSourceReader.read(source);
        if (read == null && bean.isEmpty() && HAS_DETAILS) {
            read = ConnectionDetailsReader.read(beans);
        }
        if (read == null) {
            throw new IllegalArgumentException("the URL of " + source.getClass().getName() + " cannot be read");
        }
        return read;
    }

    /** In a class of its own, as Spring Boot's module for JDBC is optional. */
    private static final class ConnectionDetailsReader {
        static @Nullable ConnectionSettings read(BeanFactory beans) {
            var details = beans.getBeanProvider(org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails.class)
                    .getIfUnique();
            return details == null
                    ? null
                    : ConnectionSettings.of(details.getJdbcUrl(), details.getUsername(), details.getPassword());
        }
    }
}
