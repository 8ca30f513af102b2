package io.leasehold.spring.autoconfigure;

import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.ClassUtils;

/** The application's DataSource that the lease is to use, without what binds its connections to transactions. */
final class LeaseDataSources {
    private static final boolean HAS_PROXIES = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.DelegatingDataSource", LeaseDataSources.class.getClassLoader());

    private LeaseDataSources() {}

    static DataSource find(LeaseJdbcProperties properties, ListableBeanFactory beans) {
        DataSource found = named(properties, beans);
        return HAS_PROXIES ? Proxies.unwrap(found) : found;
    }

    private static DataSource named(LeaseJdbcProperties properties, ListableBeanFactory beans) {
        String name = properties.dataSource();
        List<String> names = List.of(beans.getBeanNamesForType(DataSource.class));
        if (name != null) {
            try {
                return beans.getBean(name, DataSource.class);
            } catch (NoSuchBeanDefinitionException e) {
                throw new LeaseConfigurationException(
                        "lease.jdbc.data-source is '" + name + "', and there is no such DataSource bean.",
                        "Set it to one of " + names + ".",
                        e);
            }
        }
        DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
        if (only == null) {
            throw new LeaseConfigurationException(
                    "A lease is kept in a database, and there are several DataSources, none of them primary: " + names
                            + ".",
                    "Set lease.jdbc.data-source to the name of one of them.");
        }
        return only;
    }

    /** Apart, because an application may have no spring-jdbc. */
    private static final class Proxies {

        static DataSource unwrap(DataSource found) {
            DataSource dataSource = found;
            while (dataSource instanceof TransactionAwareDataSourceProxy
                    || dataSource instanceof LazyConnectionDataSourceProxy) {
                DataSource target = ((DelegatingDataSource) dataSource).getTargetDataSource();
                if (target == null) {
                    return dataSource;
                }
                dataSource = target;
            }
            return dataSource;
        }
    }
}
