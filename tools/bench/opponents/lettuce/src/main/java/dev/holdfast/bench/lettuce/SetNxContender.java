package dev.holdfast.bench.lettuce;

import dev.holdfast.bench.contender.AsyncContender;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The lock of Redis's documentation: {@code SET NX PX} with a random token, and scripts that compare the token before
 * they delete, renew or finish. All callers share one connection, as Lettuce advises.
 */
final class SetNxContender implements LockContender {
    private static final String GUARD = "if redis.call('get', KEYS[1]) == ARGV[1] then return ";
    private static final String ELSE = " else return 0 end";

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final Duration term;
    private final String deleteScript;
    private final String renewScript;
    private final String doneScript;

    SetNxContender(String url, Duration term) {
        this.term = term;
        this.client = RedisClient.create(url);
        this.connection = client.connect();
        this.deleteScript = load("redis.call('del', KEYS[1])");
        this.renewScript = load("redis.call('pexpire', KEYS[1], ARGV[2])");
        this.doneScript = load("redis.call('set', KEYS[1], 'done') and 1");
    }

    private String load(String action) {
        return connection.sync().scriptLoad(GUARD + action + ELSE);
    }

    private SetArgs options() {
        return SetArgs.Builder.nx().px(term);
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) {
        String token = UUID.randomUUID().toString();
        boolean granted = "OK".equals(connection.sync().set(name, token, options()));
        return granted ? Optional.of(new TokenLock(name, token)) : Optional.empty();
    }

    @Override
    public Optional<AsyncContender> async() {
        return Optional.of(this::tryAcquireAsync);
    }

    private CompletionStage<Optional<HeldLock>> tryAcquireAsync(String name) {
        String token = UUID.randomUUID().toString();
        return connection
                .async()
                .set(name, token, options())
                .thenApply(answer -> "OK".equals(answer) ? Optional.of(new TokenLock(name, token)) : Optional.empty());
    }

    @Override
    public boolean renewsItself() {
        return false;
    }

    @Override
    public boolean hasDone() {
        return true;
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }

    private final class TokenLock implements HeldLock {
        private final String[] name;
        private final String token;

        TokenLock(String name, String token) {
            this.name = new String[] {name};
            this.token = token;
        }

        @Override
        public void release() {
            check(connection.sync().evalsha(deleteScript, ScriptOutputType.INTEGER, name, token));
        }

        @Override
        public CompletionStage<?> releaseAsync() {
            return connection
                    .async()
                    .<Long>evalsha(deleteScript, ScriptOutputType.INTEGER, name, token)
                    .thenAccept(this::check);
        }

        @Override
        public void renew() {
            check(connection
                    .sync()
                    .evalsha(renewScript, ScriptOutputType.INTEGER, name, token, String.valueOf(term.toMillis())));
        }

        @Override
        public void done() {
            check(connection.sync().evalsha(doneScript, ScriptOutputType.INTEGER, name, token));
        }

        @Override
        public CompletionStage<?> doneAsync() {
            return connection
                    .async()
                    .<Long>evalsha(doneScript, ScriptOutputType.INTEGER, name, token)
                    .thenAccept(this::check);
        }

        private void check(Long changed) {
            if (changed != 1) {
                throw new IllegalStateException(name[0] + " was lost");
            }
        }
    }
}
