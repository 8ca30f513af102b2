package io.leasehold.spring.test;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Takes the application's leases away before each test, and gives test methods the {@link TestLease}, or {@link TestLeases},
 * of their application.
 */
public final class TestLeaseExtension implements BeforeEachCallback, ParameterResolver {

    /** Made by JUnit. */
    public TestLeaseExtension() {}

    @Override
    public void beforeEach(ExtensionContext context) {
        ApplicationContext application = SpringExtension.getApplicationContext(context);
        application.getBean(TestLeases.class).revokeAll();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestLease.class || type == TestLeases.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return SpringExtension.getApplicationContext(context)
                .getBean(parameter.getParameter().getType());
    }
}
