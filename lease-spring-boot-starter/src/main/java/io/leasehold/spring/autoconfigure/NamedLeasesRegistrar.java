package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaderLease;
import io.leasehold.spring.LeaderLifecycle;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.state.LeaderState;
import java.util.Set;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Registers the beans of several leases: each type once for each lease, qualified by the lease's name. */
final class NamedLeasesRegistrar implements ImportBeanDefinitionRegistrar {
    private final Environment environment;

    NamedLeasesRegistrar(Environment environment) {
        this.environment = environment;
    }

    /** The names of the leases, where there are several. */
    static Set<String> names(Environment environment) {
        return Binder.get(environment)
                .bind("lease.leases", Bindable.mapOf(String.class, LeaseProperties.Named.class))
                .map(leases -> Set.copyOf(leases.keySet()))
                .orElse(Set.of());
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        for (String name : names(environment)) {
            String lease = name + "Lease";
            String listeners = name + "LeaseListeners";
            registry.registerBeanDefinition(lease, define(name, LeaderLease.class, "lease", name));
            registry.registerBeanDefinition(
                    listeners, define(name, LeaseListeners.class, "listeners", new RuntimeBeanReference(lease)));
            registry.registerBeanDefinition(
                    name + "LeaderLifecycle",
                    define(
                            name,
                            LeaderLifecycle.class,
                            "lifecycle",
                            new RuntimeBeanReference(lease),
                            new RuntimeBeanReference(listeners)));
            RootBeanDefinition state = define(name, LeaderState.class, "state", new RuntimeBeanReference(lease));
            // A lease may have none, and then there must be no one who asks for it.
            state.setLazyInit(true);
            registry.registerBeanDefinition(name + "LeaderState", state);
        }
    }

    private static RootBeanDefinition define(String name, Class<?> type, String factoryMethod, Object... arguments) {
        RootBeanDefinition definition = new RootBeanDefinition(type);
        definition.setFactoryBeanName("namedLeases");
        definition.setFactoryMethodName(factoryMethod);
        for (int i = 0; i < arguments.length; i++) {
            definition.getConstructorArgumentValues().addIndexedArgumentValue(i, arguments[i]);
        }
        // The lifecycle closes the lease, before what its listeners need is closed.
        definition.setDestroyMethodName("");
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        return definition;
    }
}
