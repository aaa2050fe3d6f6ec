"""Makes gRPC calls with the C-core client and reports how each ended.

Arguments: the port. Every line of input is one kind of call, as JSON: path, mode, request (base64), metadata and times.
Every line of output is the answer, as JSON: for each call its code, message and details (base64).
"""

import base64
import json
import sys
import threading

import grpc

channel = grpc.insecure_channel("127.0.0.1:" + sys.argv[1], options=[("grpc.enable_retries", 0)])


def open_ended(messages, ended):
    """Sends messages, and keeps the stream open until the call has ended."""
    yield from messages
    ended.wait(60)


def call(path, mode, request, metadata):
    ended = threading.Event()
    try:
        if mode == "unary":
            channel.unary_unary(path)(request, metadata=metadata, timeout=60)
        elif mode == "server":
            for _ in channel.unary_stream(path)(request, metadata=metadata, timeout=60):
                pass
        else:
            messages = open_ended([] if mode == "silent" else [request], ended)
            for _ in channel.stream_stream(path)(messages, metadata=metadata, timeout=60):
                pass
        return {"code": "OK"}
    except grpc.RpcError as error:
        details = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
        return {
            "code": error.code().name,
            "message": error.details(),
            "details": base64.b64encode(details).decode(),
        }
    finally:
        ended.set()


for line in sys.stdin:
    asked = json.loads(line)
    request = base64.b64decode(asked["request"])
    metadata = list(asked["metadata"].items())
    answers = [call(asked["path"], asked["mode"], request, metadata) for _ in range(asked["times"])]
    print(json.dumps(answers), flush=True)
