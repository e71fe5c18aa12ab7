import Core
import Synchronization
import Testing
import Transport
import Wire

@testable import Sandbox

struct HandshakeLogTests {
    @Test func `lines are bounded, and the next window says how many were left out`() {
        let time = Mutex(Instant(seconds: 1_000))
        let log = HandshakeLog(log: .none, now: { time.withLock { $0 } })
        let first = (0..<50).map { _ in log.admit() }
        #expect(first == (0..<50).map { $0 < HandshakeLog.linesPerWindow ? 0 : nil })
        time.withLock { $0 = $0.adding(seconds: HandshakeLog.windowSeconds - 1) }
        #expect(log.admit() == nil)
        time.withLock { $0 = $0.adding(seconds: 1) }
        #expect([log.admit(), log.admit()] == [31, 0])
        // A clock that is set back far does not silence the log until it has caught up.
        for _ in 0..<50 { _ = log.admit() }
        time.withLock { $0 = Instant(seconds: 5) }
        #expect(log.admit() == 32)
    }

    @Test func `a line has code, peer, reason, and the subject without card numbers`() {
        let failure = HandshakeFailure(
            peer: "127.0.0.1",
            subject: "CN=4111111111111111,O=\u{1}Bank",
            problem: .alert,
            reason: "tlsv1 alert unknown ca"
        )
        let line = JSON.object(JSONObject(HandshakeLog.fields(failure, unwritten: 3)))
        #expect(
            [line["event"], line["code"], line["peer"], line["reason"], line["unwritten"]]
                == ["tls.handshake", "TLS_ALERT", "127.0.0.1", "tlsv1 alert unknown ca", 3]
        )
        #expect(line["subject"]?.string?.contains("O=") == true && !line.text.contains("4111111111111111"))
        #expect(line["cause"]?.string?.isEmpty == false && line["cure"]?.string?.isEmpty == false)
        let plain = HandshakeFailure(
            peer: "::1",
            subject: nil,
            problem: .left,
            reason: "the client ended the connection"
        )
        let bare = JSON.object(JSONObject(HandshakeLog.fields(plain, unwritten: 0)))
        #expect([bare["subject"], bare["unwritten"]] == [nil, nil])
    }

    @Test func `each problem has a code of its own`() {
        let codes = HandshakeFailure.Problem.allCases.map { HandshakeFault($0) }
        #expect(Set(codes) == Set(HandshakeFault.allCases))
    }
}
