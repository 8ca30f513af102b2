package io.leasehold.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.sql.DataSource;

/** A data source whose next updates are undone, each with an SQL state that a test chooses. */
final class FailingStatements {
    private final DataSource target;
    private final Deque<String> states = new ConcurrentLinkedDeque<>();

    FailingStatements(DataSource target) {
        this.target = target;
    }

    void failNext(String state, int times) {
        for (int i = 0; i < times; i++) {
            states.add(state);
        }
    }

    int left() {
        return states.size();
    }

    DataSource dataSource() {
        return proxy(DataSource.class, target);
    }

    private <T> T proxy(Class<T> type, Object inner) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("executeUpdate")) {
                        String state = states.poll();
                        if (state != null) {
                            throw new SQLException("chosen by the test", state);
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
