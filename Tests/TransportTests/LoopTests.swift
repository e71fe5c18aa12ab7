import Synchronization
import Testing
import Transport

/// What one client can do to the thread that all of them share.
struct LoopTests {
    @Test func `a sender that never pauses does not hold up the others`() async throws {
        // The body never ends and never grows too large: it is all extensions.
        try await withServer(limits: { $0.headerBytes = 1 << 40 }) { server in
            let isOver = Switch()
            Task { await offPool { try Self.sendForEver(to: server, until: isOver) } }
            defer { isOver.on() }
            #expect(server.responder.sees("refusal /echo"))
            for _ in 0..<20 {
                let client = try RawClient(server.address, seconds: 5)
                try client.request("GET", "/a")
                #expect(try client.answer().status == 200)
            }
        }
    }

    private static func sendForEver(to server: RunningServer, until isOver: Switch) throws {
        let client = try server.client()
        try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        let extensions = [UInt8](repeating: 0x61, count: 1 << 16)
        while !isOver.isOn { try client.send(Array("1;".utf8) + extensions + Array("\r\na\r\n".utf8)) }
    }
}

/// Turned on once, seen by every thread.
private final class Switch: Sendable {
    private let state = Atomic<Bool>(false)
    var isOn: Bool { state.load(ordering: .relaxed) }
    func on() { state.store(true, ordering: .relaxed) }
}
