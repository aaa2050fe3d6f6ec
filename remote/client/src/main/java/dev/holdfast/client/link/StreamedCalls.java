package dev.holdfast.client.link;

import com.google.protobuf.Message;
import dev.holdfast.proto.v1.Call;
import dev.holdfast.proto.v1.CallAnswer;
import dev.holdfast.proto.v1.CallsRequest;
import dev.holdfast.proto.v1.CallsResponse;
import dev.holdfast.support.Futures;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a link that share one stream: all requests that a server can serve without waiting. Calls made while the
 * event loop is busy are sent as one message, and their responses arrive in few. So many calls cost little more than
 * one. The stream is opened on first use, and again after it broke. It is closed after it was idle for a while.
 *
 * <p>Confined to the event loop, except for {@link #call} and {@link #unsent}.
 */
final class StreamedCalls {
    /**
     * A message is sent at this size. With one more call of the largest size it is still far below a server's limit.
     */
    private static final int MESSAGE_BYTES = 256 << 10;

    private static final Duration IDLE = Duration.ofSeconds(30);

    private final ManagedChannel channel;
    private final EventLoop loop;
    private final Supplier<@Nullable String> credentials;

    /** Calls not sent yet, added by any thread. The thread that sets {@link #waking} makes the event loop send them. */
    private final Queue<StreamedCall> unsent = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean waking = new AtomicBoolean();
    private final Map<Long, StreamedCall> unanswered = new HashMap<>();
    private @Nullable ClientCallStream stream;
    private long lastNumber;
    private long usedNanos;
    private @Nullable ScheduledFuture<?> timer;
    private long timerNanos;
    private boolean closing;

    /** @param credentials returns the credentials for a stream; a stream with other credentials is closed */
    StreamedCalls(ManagedChannel channel, EventLoop loop, Supplier<@Nullable String> credentials) {
        this.channel = channel;
        this.loop = loop;
        this.credentials = credentials;
    }

    /** Thread-safe. Cancelling the future cancels the call. */
    CompletableFuture<Message> call(Call.Builder call, Duration timeout) {
        StreamedCall pending = new StreamedCall(call, System.nanoTime() + timeout.toNanos());
        Futures.whenDone(pending.result(), (answer, error) -> {
            if (pending.result().isCancelled()) {
                inLoop(() -> drop(pending));
            }
        });
        unsent.add(pending);
        if (waking.compareAndSet(false, true) && !inLoop(this::send)) {
            waking.set(false);
            takeUnsent().forEach(rejected -> rejected.fail(Status.UNAVAILABLE.withDescription("the client is closed")));
        }
        return pending.result();
    }

    /** Returns false if the client is closed, and the event loop has stopped. */
    private boolean inLoop(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Sends all calls that are ready, in messages of limited size. */
    private void send() {
        waking.set(false);
        while (!unsent.isEmpty()) {
            ClientCallStream current = usableStream();
            if (!current.isReady()) {
                unsent.forEach(pending -> checkAt(pending.deadlineNanos()));
                return;
            }
            CallsRequest message = nextMessage(current);
            if (message.getCallsCount() > 0) {
                current.send(message);
            }
        }
        closeIfAllAnswered();
    }

    private ClientCallStream usableStream() {
        String token = credentials.get();
        ClientCallStream current = stream;
        if (current != null && !Objects.equals(current.credentials(), token)) {
            stopUsing(current);
            current = null;
        }
        if (current == null) {
            current = new ClientCallStream(loop, token, this::send, this::responded, this::ended);
            stream = current;
            current.start(channel);
        }
        return current;
    }

    private CallsRequest nextMessage(ClientCallStream current) {
        CallsRequest.Builder message = CallsRequest.newBuilder();
        int bytes = 0;
        for (StreamedCall pending = unsent.poll();
                pending != null;
                pending = bytes < MESSAGE_BYTES ? unsent.poll() : null) {
            if (pending.result().isDone()) {
                continue;
            }
            Call call = pending.send(++lastNumber, current);
            unanswered.put(lastNumber, pending);
            message.addCalls(call);
            bytes += call.getSerializedSize();
            checkAt(pending.deadlineNanos());
        }
        usedNanos = System.nanoTime();
        return message.build();
    }

    private void responded(ClientCallStream from, CallsResponse response) {
        for (CallAnswer answer : response.getAnswersList()) {
            StreamedCall pending = unanswered.remove(answer.getNumber());
            if (pending != null) {
                pending.answer(answer);
            }
        }
        if (response.getGoAway()) {
            stopUsing(from);
        }
        closeIfAllAnswered();
    }

    /** Stops using a stream. The server may still respond to its calls; the next call opens another stream. */
    private void stopUsing(ClientCallStream leaving) {
        if (stream == leaving) {
            stream = null;
        }
        leaving.halfClose();
    }

    private void ended(ClientCallStream from, Status status) {
        if (stream == from) {
            stream = null;
        }
        // On a stream that has had a response, a rejection arrives too late to prove that its calls were not applied.
        boolean isOver = status.isOk() || (from.hasResponse() && status.getCode() == Status.Code.UNAUTHENTICATED);
        Status reason = isOver ? Status.UNAVAILABLE.withDescription("the server ended the stream") : status;
        List<StreamedCall> failed = take(pending -> pending.stream() == from);
        if (!isOver) {
            // There is no connection, or the server rejects the credentials. Calls that wait for the stream fail now.
            failed.addAll(takeUnsent());
        }
        failed.forEach(pending -> pending.fail(reason));
        send();
    }

    private List<StreamedCall> take(Predicate<StreamedCall> which) {
        List<StreamedCall> taken = new ArrayList<>();
        unanswered.values().removeIf(pending -> which.test(pending) && taken.add(pending));
        return taken;
    }

    private List<StreamedCall> takeUnsent() {
        List<StreamedCall> taken = new ArrayList<>();
        for (StreamedCall pending = unsent.poll(); pending != null; pending = unsent.poll()) {
            taken.add(pending);
        }
        return taken;
    }

    /** Drops a call after its caller has given up. The server releases a grant made meanwhile. */
    private void drop(StreamedCall pending) {
        ClientCallStream sentOn = pending.stream();
        if (sentOn != null && unanswered.remove(pending.number(), pending) && pending.isAcquire() && sentOn == stream) {
            sentOn.send(CallsRequest.newBuilder()
                    .addCalls(Call.newBuilder().setNumber(pending.number()).setCancel(Call.Cancel.getDefaultInstance()))
                    .build());
        }
    }

    private void checkAt(long nanos) {
        if (timer == null || nanos - timerNanos < 0) {
            if (timer != null) {
                timer.cancel(false);
            }
            timerNanos = nanos;
            timer = loop.schedule(this::check, Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
    }

    /** Fails overdue calls, and closes a stream that was idle for too long. */
    private void check() {
        timer = null;
        long now = System.nanoTime();
        List<StreamedCall> overdue = new ArrayList<>(unanswered.values());
        overdue.addAll(unsent);
        overdue.removeIf(pending -> {
            boolean hasTime = pending.deadlineNanos() - now > 0;
            if (hasTime) {
                checkAt(pending.deadlineNanos());
            }
            return hasTime;
        });
        for (StreamedCall pending : overdue) {
            pending.fail(Status.DEADLINE_EXCEEDED.withDescription("no response in time"));
            drop(pending);
        }
        if (stream != null && unanswered.isEmpty() && unsent.isEmpty()) {
            if (now - usedNanos >= IDLE.toNanos()) {
                stopUsing(stream);
            } else {
                checkAt(usedNanos + IDLE.toNanos());
            }
        }
    }

    /** Thread-safe. Closes the stream when all calls have got a response. */
    void close() {
        inLoop(() -> {
            closing = true;
            closeIfAllAnswered();
        });
    }

    private void closeIfAllAnswered() {
        if (closing && stream != null && unanswered.isEmpty() && unsent.isEmpty()) {
            stopUsing(stream);
        }
    }
}
