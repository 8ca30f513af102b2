package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaseSettings;
import io.leasehold.spring.LeaseStores;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;

/** The stores that the properties name, each kept where its own properties say. */
final class ConfiguredStores implements LeaseStores {
    static final String FILE = "file";
    static final String JDBC = "jdbc";
    static final String KUBERNETES = "kubernetes";
    static final String REDIS = "redis";
    private static final String NONE = "none";

    /** What an application has to bring for a store. */
    private static final Map<String, String> NEEDS = new TreeMap<>(Map.of(
            JDBC,
            "a DataSource bean and the module spring-boot-sql; spring-boot-starter-jdbc brings both, and makes the bean from"
                    + " spring.datasource.url",
            KUBERNETES,
            "the library io.fabric8:kubernetes-client",
            REDIS,
            "a bean that is declared as LettuceConnectionFactory, such as spring-boot-starter-data-redis makes"));

    private final LeaseProperties properties;
    private final Map<String, StoreBackEnd> backEnds = new TreeMap<>();

    ConfiguredStores(LeaseProperties properties, Stream<StoreBackEnd> backEnds) {
        this.properties = properties;
        Stream.concat(Stream.of(new FileStores(properties)), backEnds)
                .forEach(backEnd -> this.backEnds.put(backEnd.store(), backEnd));
    }

    @Override
    public LeaseStore leaseStore(LeaseSettings settings) {
        return backEnd("lease.store", properties.store()).leaseStore(settings);
    }

    @Override
    public Optional<StateStore> stateStore(LeaseSettings settings) {
        String own = properties.state().store();
        if (NONE.equals(own)) {
            return Optional.empty();
        }
        StoreBackEnd backEnd;
        if (own != null) {
            backEnd = backEnd("lease.state.store", own);
        } else if (properties.state().path() != null) {
            backEnd = backEnd("lease.state.path", FILE);
        } else {
            backEnd = backEnd("lease.store", properties.store());
        }
        return Optional.of(backEnd.stateStore(settings));
    }

    /** Whether the properties ask for a state, without which a lease may well be. */
    static boolean nameAState(Environment environment) {
        String state = environment.getProperty("lease.state.store");
        if (state != null) {
            return !state.equals(NONE);
        }
        return environment.containsProperty("lease.state.path")
                || environment.containsProperty("lease.file.path")
                || !environment.getProperty("lease.store", FILE).equals(FILE);
    }

    private StoreBackEnd backEnd(String property, String store) {
        StoreBackEnd backEnd = backEnds.get(store);
        if (backEnd != null) {
            return backEnd;
        }
        String need = NEEDS.get(store);
        if (need != null) {
            throw new LeaseConfigurationException(
                    property + " is '" + store + "', and what it needs is not there: " + need + ".",
                    "Add it, or set " + property + " to another store.");
        }
        throw new LeaseConfigurationException(
                property + " is '" + store + "', and there is no such store.",
                "Set it to one of file, jdbc, kubernetes and redis, or leave it out and define a "
                        + (property.equals("lease.store") ? "LeaseStore" : "StateStore") + " bean.");
    }
}
