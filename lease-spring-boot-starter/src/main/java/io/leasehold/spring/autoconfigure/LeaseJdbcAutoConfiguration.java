package io.leasehold.spring.autoconfigure;

import io.leasehold.spring.autoconfigure.LeaseJdbcProperties.SchemaInitialization;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.init.ScriptException;

/** Leases and states in the application's database, where it has a {@link DataSource}. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.JndiDataSourceAutoConfiguration"
        })
@ConditionalOnClass(DependsOnDatabaseInitialization.class)
@ConditionalOnBean(DataSource.class)
@ConditionalOnStore(ConfiguredStores.JDBC)
@EnableConfigurationProperties(LeaseJdbcProperties.class)
public final class LeaseJdbcAutoConfiguration {
    static final String SCRIPTS = "classpath:io/leasehold/jdbc/schema-@@platform@@.sql";

    LeaseJdbcAutoConfiguration() {}

    /** After whatever creates tables, such as Flyway, has done so. */
    @Bean
    @DependsOnDatabaseInitialization
    @ConditionalOnMissingBean
    JdbcStores leaseJdbcStores(LeaseJdbcProperties properties, ListableBeanFactory beans) {
        return new JdbcStores(properties, () -> LeaseDataSources.find(properties, beans));
    }

    /** The tables, where the application asks for them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataSourceScriptDatabaseInitializer.class)
    @ConditionalOnExpression("!'${lease.jdbc.initialize-schema:never}'.equalsIgnoreCase('never')")
    static final class Schema {

        @Bean
        @ConditionalOnMissingBean(name = "leaseSchemaInitializer")
        DataSourceScriptDatabaseInitializer leaseSchemaInitializer(
                LeaseJdbcProperties properties, ListableBeanFactory beans) {
            if (!properties.table().equals("lease") || !properties.stateTable().equals("lease_state")) {
                throw new LeaseConfigurationException(
                        "lease.jdbc.initialize-schema creates the tables lease and lease_state, and lease.jdbc.table is '"
                                + properties.table() + "' and lease.jdbc.state-table is '" + properties.stateTable()
                                + "'.",
                        "Create the tables yourself, or leave the two properties out.");
            }
            DataSource dataSource = LeaseDataSources.find(properties, beans);
            DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
            settings.setSchemaLocations(
                    List.copyOf(new PlatformPlaceholderDatabaseDriverResolver().resolveAll(dataSource, SCRIPTS)));
            settings.setMode(
                    properties.initializeSchema() == SchemaInitialization.ALWAYS
                            ? DatabaseInitializationMode.ALWAYS
                            : DatabaseInitializationMode.EMBEDDED);
            return new SchemaInitializer(dataSource, settings);
        }

        /** Replicas that start together create the tables together, and "if not exists" does not part them everywhere. */
        private static final class SchemaInitializer extends DataSourceScriptDatabaseInitializer {
            private static final Logger LOG = LoggerFactory.getLogger(SchemaInitializer.class);
            private static final int ATTEMPTS = 3;

            SchemaInitializer(DataSource dataSource, DatabaseInitializationSettings settings) {
                super(dataSource, settings);
            }

            @Override
            protected void runScripts(Scripts scripts) {
                for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
                    try {
                        super.runScripts(scripts);
                        return;
                    } catch (ScriptException e) {
                        LOG.debug("The tables of the lease could not be created; another replica may be doing it", e);
                    }
                }
                super.runScripts(scripts);
            }
        }
    }
}
