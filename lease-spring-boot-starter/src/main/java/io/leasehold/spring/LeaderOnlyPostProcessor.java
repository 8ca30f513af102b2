package io.leasehold.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Puts an advice in front of {@link LeaderOnly} methods. It comes before advices that begin something for the call, such as
 * a transaction, and inside {@code @Async}, so that it looks where and when the work is done.
 */
public final class LeaderOnlyPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {
    private static final long serialVersionUID = 1L;

    /** By the bean's class and the method: which lease it asks for. */
    private final transient Map<Method, String> found = new ConcurrentHashMap<>();

    private final transient Map<Method, LeaderCalls> resolved = new ConcurrentHashMap<>();
    private final transient ObjectProvider<LeaderLifecycle> leases;

    /**
     * An advice for the methods of all beans.
     *
     * @param leases the leases of the application; not asked for before all singletons are there, or a method is called
     */
    public LeaderOnlyPostProcessor(ObjectProvider<LeaderLifecycle> leases) {
        this.leases = leases;
        // Before those of @Scheduled and @Async, which work on the proxy.
        setOrder(Ordered.LOWEST_PRECEDENCE - 1);
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
        this.advisor = new DefaultPointcutAdvisor(
                new AnnotationMatchingPointcut(null, LeaderOnly.class, true), (MethodInterceptor) this::invoke);
    }

    /**
     * Checks that every lease that is asked for is there.
     *
     * @throws UnsuitableListenerException when one is not
     */
    @Override
    public void afterSingletonsInstantiated() {
        found.forEach(this::callsOf);
    }

    @Override
    protected boolean isEligible(Class<?> targetClass) {
        boolean eligible = super.isEligible(targetClass);
        if (eligible) {
            MethodIntrospector.selectMethods(targetClass, LeaderOnlyPostProcessor::annotation)
                    .forEach((method, annotation) -> {
                        requireAdvisable(targetClass, method);
                        found.put(method, annotation.value());
                    });
        }
        return eligible;
    }

    private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Method method = target == null
                ? invocation.getMethod()
                : AopUtils.getMostSpecificMethod(invocation.getMethod(), AopUtils.getTargetClass(target));
        LeaderOnly annotation = annotation(method);
        LeaderCalls calls = callsOf(method, annotation == null ? "" : annotation.value());
        if (!calls.begin()) {
            return method.getReturnType() == Optional.class ? Optional.empty() : null;
        }
        try {
            return invocation.proceed();
        } finally {
            calls.end();
        }
    }

    private LeaderCalls callsOf(Method method, String name) {
        return resolved.computeIfAbsent(method, unused -> resolve(method, name));
    }

    private LeaderCalls resolve(Method method, String name) {
        Map<String, LeaderLifecycle> byName = leases.stream()
                .collect(Collectors.toMap(each -> each.lease().settings().name(), each -> each, (one, other) -> {
                    throw new UnsuitableListenerException(
                            "Two leases are named '" + one.lease().settings().name()
                                    + "', and @LeaderOnly cannot tell which is meant.",
                            "Give each lease a name of its own.");
                }));
        LeaderLifecycle lease = name.isEmpty() && byName.size() == 1
                ? byName.values().iterator().next()
                : byName.get(name);
        if (lease == null) {
            throw new UnsuitableListenerException(
                    "@LeaderOnly on " + describe(method)
                            + (name.isEmpty() ? " names no lease" : " names the lease '" + name + "'")
                            + ", and the leases are " + byName.keySet() + ".",
                    "Let it name one of them.");
        }
        return lease.listeners().leaderCalls();
    }

    private static @Nullable LeaderOnly annotation(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
    }

    private static void requireAdvisable(Class<?> type, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)
                || Modifier.isStatic(modifiers)
                || Modifier.isFinal(modifiers)
                || Modifier.isFinal(type.getModifiers())) {
            throw new UnsuitableListenerException(
                    "@LeaderOnly on " + describe(method)
                            + " has no effect: a method that is private, static or final, or of a final class, cannot be"
                            + " advised.",
                    "Make the method and its class overridable, and the method at least package-private.");
        }
        if (method.getReturnType() != void.class && method.getReturnType() != Optional.class) {
            throw new UnsuitableListenerException(
                    "@LeaderOnly on " + describe(method) + ", which returns "
                            + method.getReturnType().getSimpleName()
                            + ": a call that is left out has nothing to return.",
                    "Let it return nothing, or an Optional.");
        }
    }

    private static String describe(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }
}
