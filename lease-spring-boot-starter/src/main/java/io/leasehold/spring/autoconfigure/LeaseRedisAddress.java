package io.leasehold.spring.autoconfigure;

import io.leasehold.redis.RedisConnections;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/** Where an application's connection factory connects to, and with what; the lease connects there on its own. */
final class LeaseRedisAddress {
    private final LettuceConnectionFactory factory;
    private final LettuceClientConfiguration client;

    LeaseRedisAddress(LettuceConnectionFactory factory) {
        if (factory.isClusterAware()) {
            throw new LeaseConfigurationException(
                    "lease.store or lease.state.store is 'redis', and the LettuceConnectionFactory connects to a cluster,"
                            + " which is not supported.",
                    "Keep the lease in a Redis without cluster, and name its connection factory in"
                            + " lease.redis.connection-factory, or choose another store.");
        }
        requireMaster(factory);
        this.factory = factory;
        this.client = factory.getClientConfiguration();
    }

    /** Such a factory passes for one to a server on this host, and has no method that tells. */
    private static void requireMaster(LettuceConnectionFactory factory) {
        Object configuration = new DirectFieldAccessor(factory).getPropertyValue("configuration");
        if (configuration instanceof RedisStaticMasterReplicaConfiguration) {
            throw new LeaseConfigurationException(
                    "lease.store or lease.state.store is 'redis', and the LettuceConnectionFactory connects to a master and"
                            + " replicas without saying which node is the master.",
                    "Name sentinels, or the factory of the master in lease.redis.connection-factory.");
        }
    }

    /** With the application's TLS, sockets and names, and with threads of its own. */
    RedisConnections connections() {
        AbstractRedisClient applications = factory.getNativeClient();
        if (applications == null) {
            throw new LeaseConfigurationException(
                    "lease.store or lease.state.store is 'redis', and the LettuceConnectionFactory has not been started.",
                    "Let it start with the context, which is what it does unless early startup is turned off.");
        }
        ClientResources resources = applications.getResources();
        return RedisConnections.to(
                uri(),
                applications.getOptions(),
                ClientResources.builder()
                        .socketAddressResolver(resources.socketAddressResolver())
                        .addressResolverGroup(resources.addressResolverGroup())
                        .nettyCustomizer(resources.nettyCustomizer()));
    }

    private RedisURI uri() {
        RedisSentinelConfiguration sentinels = factory.getSentinelConfiguration();
        RedisSocketConfiguration socket = factory.getSocketConfiguration();
        RedisURI uri;
        if (sentinels != null) {
            uri = LettuceConverters.sentinelConfigurationToRedisURI(sentinels);
            uri.getSentinels().forEach(this::secure);
        } else if (socket != null) {
            uri = RedisURI.Builder.socket(socket.getSocket()).build();
            authenticate(uri, socket, socket.getUsername(), socket.getPassword());
        } else {
            RedisStandaloneConfiguration server = factory.getStandaloneConfiguration();
            uri = RedisURI.create(server.getHostName(), server.getPort());
            authenticate(uri, server, server.getUsername(), server.getPassword());
        }
        secure(uri);
        uri.setDatabase(factory.getDatabase());
        if (sentinels != null) {
            client.getRedisCredentialsProviderFactory().ifPresent(made -> provide(uri, sentinels, made));
        }
        return uri;
    }

    private void secure(RedisURI uri) {
        uri.setSsl(client.isUseSsl());
        uri.setVerifyPeer(client.getVerifyMode());
        uri.setStartTls(client.isStartTls());
        client.getClientName().ifPresent(uri::setClientName);
    }

    private void authenticate(
            RedisURI uri, RedisConfiguration configuration, @Nullable String user, RedisPassword password) {
        RedisCredentialsProviderFactory made =
                client.getRedisCredentialsProviderFactory().orElse(null);
        if (made != null) {
            RedisCredentialsProvider provider = made.createCredentialsProvider(configuration);
            if (provider != null) {
                uri.setCredentialsProvider(provider);
            }
        } else if (password.isPresent()) {
            uri.setCredentialsProvider(new StaticCredentialsProvider(user, password.get()));
        }
    }

    private static void provide(
            RedisURI uri, RedisSentinelConfiguration sentinels, RedisCredentialsProviderFactory made) {
        RedisCredentialsProvider provider = made.createCredentialsProvider(sentinels);
        if (provider != null) {
            uri.setCredentialsProvider(provider);
        }
        RedisCredentialsProvider ofSentinels = made.createSentinelCredentialsProvider(sentinels);
        if (ofSentinels != null) {
            uri.getSentinels().forEach(sentinel -> sentinel.setCredentialsProvider(ofSentinels));
        }
    }
}
