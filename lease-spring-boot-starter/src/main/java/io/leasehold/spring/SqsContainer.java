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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.task.TaskExecutor;
import org.springframework.messaging.Message;

/** An SQS container with the guard in front of its listener. A message is in flight until its future has completed. */
final class SqsContainer<T, O extends ContainerOptions<O, B>, B extends ContainerOptionsBuilder<B, O>>
        extends GuardedContainer<AbstractMessageListenerContainer<T, O, B>> {

    private SqsContainer(String name, AbstractMessageListenerContainer<T, O, B> container, MessageGuard guard) {
        super(name, container, guard);
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
                handled = Objects.requireNonNull(handling.get(), "The listener has returned no future");
            } catch (Throwable e) {
                // As a failed future the container makes of it what it makes of any failure.
                handled = CompletableFuture.failedFuture(e);
            }
            return handled.whenComplete((done, failure) -> guard.leave());
        }
    }
}
