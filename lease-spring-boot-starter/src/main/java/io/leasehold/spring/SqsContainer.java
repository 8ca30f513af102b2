package io.leasehold.spring;

import io.awspring.cloud.sqs.listener.AbstractMessageListenerContainer;
import io.awspring.cloud.sqs.listener.AsyncMessageListener;
import io.awspring.cloud.sqs.listener.ContainerOptions;
import io.awspring.cloud.sqs.listener.ContainerOptionsBuilder;
import io.awspring.cloud.sqs.listener.MessageListenerContainer;
import io.awspring.cloud.sqs.listener.MessageListenerContainerRegistry;
import io.awspring.cloud.sqs.listener.TaskExecutorAware;
import io.leasehold.NotHolderException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.task.TaskExecutor;
import org.springframework.messaging.Message;

/** An SQS container with the guard in front of its listener. A message is in flight until its future has completed. */
final class SqsContainer<T, O extends ContainerOptions<O, B>, B extends ContainerOptionsBuilder<B, O>>
        implements ListenerContainer {
    private final String name;
    private final AbstractMessageListenerContainer<T, O, B> container;
    private final MessageGuard guard;

    private SqsContainer(String name, AbstractMessageListenerContainer<T, O, B> container, MessageGuard guard) {
        this.name = name;
        this.container = container;
        this.guard = guard;
    }

    /** The containers of every registry by their ids, and those that are beans by their names. */
    static Map<String, ListenerContainer> find(ListableBeanFactory beans, Supplier<MessageGuard> guards) {
        Map<String, ListenerContainer> found = new LinkedHashMap<>();
        beans.getBeansOfType(MessageListenerContainerRegistry.class, false, false)
                .values()
                .forEach(registry -> registry.getListenerContainers()
                        .forEach(container -> ListenerFinder.add(found, adapt(container.getId(), container, guards))));
        beans.getBeansOfType(MessageListenerContainer.class, false, false)
                .forEach((name, container) -> ListenerFinder.add(found, adapt(name, container, guards)));
        return found;
    }

    private static ListenerContainer adapt(
            String name, MessageListenerContainer<?> container, Supplier<MessageGuard> guards) {
        return container instanceof AbstractMessageListenerContainer<?, ?, ?> known
                ? adapt(name, known, guards.get())
                : new LifecycleBean(name, container);
    }

    private static <T, O extends ContainerOptions<O, B>, B extends ContainerOptionsBuilder<B, O>>
            ListenerContainer adapt(
                    String name, AbstractMessageListenerContainer<T, O, B> container, MessageGuard guard) {
        return new SqsContainer<>(name, container, guard);
    }

    @Override
    public String name() {
        return name;
    }

    /** Neither options nor listener of a container that runs can be changed; where it may not run it is stopped first. */
    @Override
    public void holdBack() {
        if (container.isRunning()) {
            return;
        }
        if (container.isAutoStartup()) {
            container.configure(options -> options.autoStartup(false));
        }
        AsyncMessageListener<T> listener = container.getMessageListener();
        if (listener != null && !(listener instanceof Guarded)) {
            container.setAsyncMessageListener(new Guarded<>(this, guard, listener));
        }
    }

    @Override
    public boolean startsByItself() {
        return container.isAutoStartup();
    }

    @Override
    public boolean isRunning() {
        return container.isRunning();
    }

    @Override
    public void start() {
        try {
            container.start();
        } catch (RuntimeException e) {
            // It counts as running although it does nothing, and what it would stop may be missing.
            try {
                container.stop();
            } catch (RuntimeException stop) {
                e.addSuppressed(stop);
            }
            throw e;
        }
    }

    /** The container's stop waits for listeners only as long as its own timeout says. */
    @Override
    public void stop(Runnable whenStopped) {
        container.stop();
        awaitQuiet();
        whenStopped.run();
    }

    @Override
    public int inFlight() {
        return guard.inFlight();
    }

    /** The application's listener behind the guard; a refused message is one that failed, and is not acknowledged. */
    private record Guarded<T>(ListenerContainer container, MessageGuard guard, AsyncMessageListener<T> listener)
            implements AsyncMessageListener<T>, TaskExecutorAware {

        @Override
        public CompletableFuture<Void> onMessage(Message<T> message) {
            return handle(() -> listener.onMessage(message));
        }

        @Override
        public CompletableFuture<Void> onMessage(Collection<Message<T>> messages) {
            return handle(() -> listener.onMessage(messages));
        }

        @Override
        public void setTaskExecutor(TaskExecutor taskExecutor) {
            if (listener instanceof TaskExecutorAware aware) {
                aware.setTaskExecutor(taskExecutor);
            }
        }

        private CompletableFuture<Void> handle(Supplier<CompletableFuture<Void>> handling) {
            try {
                guard.enter(container);
            } catch (NotHolderException e) {
                return CompletableFuture.failedFuture(e);
            }
            CompletableFuture<Void> handled;
            try {
                handled = handling.get();
            } catch (RuntimeException e) {
                handled = CompletableFuture.failedFuture(e);
            }
            return handled.whenComplete((done, failure) -> guard.leave());
        }
    }
}
