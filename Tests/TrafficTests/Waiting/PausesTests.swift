import Core
import Testing
import Traffic

@Suite("Pauses")
struct PausesTests {
    private static let tenant = TenantName.default
    /// Sleeps until it is cancelled.
    private static let endless: Pauses.Sleep = { _ in try await Task.sleep(for: .seconds(3_600)) }

    @Test("A pause ends when its time is over")
    func elapses() async {
        let pauses = Pauses(sleep: { _ in })
        #expect(await pauses.pause(in: Self.tenant, milliseconds: 20_000) == .elapsed)
        #expect(pauses.count(of: Self.tenant) == 0)
    }

    @Test("What ends a pause early is known", arguments: [Pauses.Ending.woken, .tenantEnded, .stopping, .clientLeft])
    func endsEarly(_ ending: Pauses.Ending) async {
        let pauses = Pauses(sleep: Self.endless)
        let pause = pauses.open(in: Self.tenant)
        #expect(pauses.count(of: Self.tenant) == 1)
        let waiting = Task { await pauses.wait(pause, in: Self.tenant, milliseconds: 1) }
        switch ending {
        case .woken: pause.wake()
        case .tenantEnded: pauses.end(Self.tenant)
        case .stopping: pauses.stop()
        case .clientLeft: waiting.cancel()
        case .elapsed: break
        }
        #expect(await waiting.value == ending)
        #expect(pauses.count(of: Self.tenant) == 0)
    }

    @Test("The end of one tenant does not end another's pauses")
    func isolates() async throws {
        let pauses = Pauses(sleep: Self.endless)
        let other = try #require(TenantName("other"))
        let mine = pauses.open(in: Self.tenant)
        let theirs = pauses.open(in: other)
        pauses.end(other)
        mine.wake()
        #expect(await pauses.wait(theirs, in: other, milliseconds: 1) == .tenantEnded)
        #expect(await pauses.wait(mine, in: Self.tenant, milliseconds: 1) == .woken)
    }

    @Test("A pause that begins after the stop ends at once")
    func stopped() async {
        let pauses = Pauses(sleep: Self.endless)
        pauses.stop()
        #expect(await pauses.pause(in: Self.tenant, milliseconds: 1) == .stopping)
    }
}
