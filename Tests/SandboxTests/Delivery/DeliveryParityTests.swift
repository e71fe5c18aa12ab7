import SandboxTesting
import Testing
import Transport
import Web

/// A test must see the same fault in process and over a socket.
struct DeliveryParityTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let delivery: Delivery
        let body: String
        let method: HTTPMethod
        var testDescription: String { "\(method.rawValue) \(delivery) of \(body.utf8.count) bytes" }
    }

    static let cases: [Case] = [
        .normal, .thenClose, .reset, .close, .empty, .truncate, .garbage([1, 2, 3]), .garbage([]), .stall,
        .dribble(bytes: 2, everyMilliseconds: 5), .dribble(bytes: 1, everyMilliseconds: 9_000), .contentLength(9),
        .contentLength(2), .contentLength(-1),
    ].flatMap { (delivery: Delivery) in
        [("abcde", HTTPMethod.get), ("", .get), ("abcde", .post), ("abcde", .head)].map {
            Case(delivery: delivery, body: $0.0, method: $0.1)
        }
    }

    /// Gives one answer.
    private struct Fixed: HTTPResponder {
        let response: HTTPResponse
        func refusal(of head: HTTPRequest) async -> HTTPResponse? { nil }
        func respond(to request: HTTPRequest) async -> HTTPResponse { response }
        func respond(to broken: BrokenRequest) async -> HTTPResponse { response }
    }

    @Test(arguments: cases)
    func `both transports see the same`(_ item: Case) async throws {
        EventLoop.ignoreBrokenPipes()
        let response = HTTPResponse(status: 200, body: Array(item.body.utf8), delivery: item.delivery)
        var expected = Result<HTTPResponse, TestDeliveryFault>.failure(.reset)
        do throws(TestDeliveryFault) {
            expected = .success(try TestDeliveryFault.received(response, to: item.method, patience: 0.4))
        } catch {
            expected = .failure(error)
        }

        let loops = try EventLoops()
        let server = HTTPServer(
            loops: loops,
            configuration: ServerConfiguration(),
            responder: Fixed(response: response)
        )
        let client = try HTTPClient(loop: loops.first)
        let origin = HTTPOrigin(.http, host: "127.0.0.1", port: try await server.start().port)
        // What ends by itself has all the time it needs on a busy machine.
        let ends = expected != .failure(.stalled)
        let request = HTTPRequest(method: item.method, target: "/", body: item.method == .post ? [1, 2, 3] : [])
        var seen = Result<HTTPResponse, TestDeliveryFault>.failure(.reset)
        do throws(HTTPCallFault) {
            seen = .success(try await client.call(request, at: origin, timeoutSeconds: ends ? 20 : 0.4))
        } catch {
            seen = .failure(try #require(TestDeliveryFault(error)))
        }
        #expect(seen == expected)
        await client.stop()
        await server.stop(graceSeconds: 0)
        loops.stop()
    }
}

/// Equal but for the headers, which Transport adds to.
private func == (
    left: Result<HTTPResponse, TestDeliveryFault>,
    right: Result<HTTPResponse, TestDeliveryFault>
) -> Bool {
    switch (left, right) {
    case (.success(let left), .success(let right)): left.status == right.status && left.body == right.body
    case (.failure(let left), .failure(let right)): left == right
    default: false
    }
}

private func != (left: Result<HTTPResponse, TestDeliveryFault>, right: Result<HTTPResponse, TestDeliveryFault>) -> Bool
{
    !(left == right)
}
