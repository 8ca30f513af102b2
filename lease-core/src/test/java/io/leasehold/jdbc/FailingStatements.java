package io.leasehold.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.sql.DataSource;

/** A data source whose next updates are undone, each with an SQL state and a code that a test chooses. */
final class FailingStatements {
    private final DataSource target;
    private final Deque<SQLException> failures = new ConcurrentLinkedDeque<>();

    FailingStatements(DataSource target) {
        this.target = target;
    }

    void failNext(String state, int code, int times) {
        for (int i = 0; i < times; i++) {
            failures.add(new SQLException("chosen by the test", state, code));
        }
    }

    int left() {
        return failures.size();
    }

    DataSource dataSource() {
        return proxy(DataSource.class, target);
    }

    private <T> T proxy(Class<T> type, Object inner) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("executeUpdate")) {
                        SQLException failure = failures.poll();
                        if (failure != null) {
                            throw failure;
                        }
                    }
                    try {
                        Object result = method.invoke(inner, arguments);
                        if (result instanceof PreparedStatement) {
                            return proxy(PreparedStatement.class, result);
                        }
                        return result instanceof Connection ? proxy(Connection.class, result) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
