package io.leasehold.spring;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.channel.ReactiveStreamsSubscribableChannel;
import org.springframework.integration.endpoint.AbstractEndpoint;
import org.springframework.integration.endpoint.MessageProducerSupport;
import org.springframework.integration.endpoint.SourcePollingChannelAdapter;
import org.springframework.integration.gateway.MessagingGatewaySupport;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

/**
 * The guard between one endpoint that brings messages in and its channel. It is not in the channel itself, into which others
 * may send as well. A reactive channel takes a whole flow at once instead of messages, and is left unguarded.
 */
record IntegrationChannel(ListenerContainer container, MessageGuard guard, MessageChannel channel)
        implements MessageChannel {

    /**
     * Puts the guard before the channel of an inbound adapter or gateway, where it is not yet; an endpoint that consumes from
     * a channel brings nothing in.
     */
    static void guard(AbstractEndpoint endpoint, ListenerContainer container, MessageGuard guard) {
        if (endpoint instanceof MessageProducerSupport producer) {
            guard(producer.getOutputChannel(), producer::setOutputChannel, container, guard);
        } else if (endpoint instanceof SourcePollingChannelAdapter poller) {
            guard(poller.getOutputChannel(), poller::setOutputChannel, container, guard);
        } else if (endpoint instanceof MessagingGatewaySupport gateway) {
            guard(gateway.getRequestChannel(), gateway::setRequestChannel, container, guard);
        }
    }

    private static void guard(
            @Nullable MessageChannel channel,
            Consumer<MessageChannel> place,
            ListenerContainer container,
            MessageGuard guard) {
        if (channel != null
                && !(channel instanceof IntegrationChannel)
                && !(channel instanceof ReactiveStreamsSubscribableChannel)) {
            place.accept(new IntegrationChannel(container, guard, channel));
        }
    }

    /**
     * Sends if the lease is held.
     *
     * @throws io.leasehold.NotHolderException when it is not: the source learns that the message was not taken
     */
    @Override
    public boolean send(Message<?> message, long timeout) {
        guard.enter(container);
        try {
            return channel.send(message, timeout);
        } finally {
            guard.leave();
        }
    }

    @Override
    public String toString() {
        return channel.toString();
    }
}
