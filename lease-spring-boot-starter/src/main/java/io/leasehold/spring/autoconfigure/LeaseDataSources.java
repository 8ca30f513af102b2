package io.leasehold.spring.autoconfigure;

import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;

/** The application's DataSource that the lease is to use. */
final class LeaseDataSources {
    private LeaseDataSources() {}

    static DataSource find(LeaseJdbcProperties properties, ListableBeanFactory beans) {
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
}
