internal import Synchronization
package import Web

/// An HTTP/1.1 client on an event loop, with keep-alive. Several share one loop with each other and with servers.
///
/// Its own state lives on the loop thread. While it holds a connection it keeps itself alive; `stop` ends that at once,
/// and must come before the loop's end.
package actor HTTPClient: HTTPCalling {
    private nonisolated let loop: EventLoop
    private let core: ClientCore

    /// Reads the files that the configuration names; connects nowhere yet.
    package init(
        loop: EventLoop,
        configuration: HTTPClientConfiguration = HTTPClientConfiguration()
    ) throws(TransportFault) {
        self.loop = loop
        core = try ClientCore(loop: loop, configuration: configuration)
        MessageBounds.lift()
    }

    /// The loop thread.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// See `HTTPCalling`. The caller's task waits without holding a thread.
    package nonisolated func call(
        _ request: HTTPRequest,
        at origin: HTTPOrigin,
        timeoutSeconds: Double
    ) async throws(HTTPCallFault) -> HTTPResponse {
        let bytes = try RequestWriter.bytes(request, origin)
        let ticket = CallTicket()
        let order = CallOrder(
            origin: origin,
            bytes: bytes,
            isHead: request.method == .head,
            endsConnection: RequestWriter.endsConnection(request),
            timeoutSeconds: timeoutSeconds
        )
        let result: Result<HTTPResponse, HTTPCallFault> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isPosted = post { $0.begin(order, ticket, continuation, owner: self) }
                if !isPosted { continuation.resume(returning: .failure(.stopped)) }
            }
        } onCancel: {
            ticket.isCancelled.store(true, ordering: .releasing)
            post { $0.cancel(ticket) }
        }
        return try result.get()
    }

    /// Runs `work` on the loop thread; false when the loop has ended.
    @discardableResult
    private nonisolated func post(_ work: @escaping @Sendable (ClientCore) -> Void) -> Bool {
        // Safe because `EventLoop.post` runs it on the loop thread, this actor's executor; it is checked.
        loop.post { self.assumeIsolated { work($0.core) } }
    }

    /// Fails the calls under way, closes every connection and takes no more calls. Returns when all that is done.
    package func stop() async {
        await withCheckedContinuation { core.stop($0) }
    }
}

/// What one call wants, as values.
struct CallOrder: Sendable {
    let origin: HTTPOrigin
    /// The whole request.
    let bytes: [UInt8]
    /// The answer has no body.
    let isHead: Bool
    /// The connection is not to be kept.
    let endsConnection: Bool
    let timeoutSeconds: Double
}

/// Names one call, from any thread. The flag is set before the loop is told, because the loop may not know the call yet.
final class CallTicket: Sendable {
    let isCancelled = Atomic<Bool>(false)
}
