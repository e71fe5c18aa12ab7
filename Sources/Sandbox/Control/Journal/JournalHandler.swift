import Core
import Networks
import Traffic
import Web
import Wire

/// The journal: what was asked, what was answered and why.
struct JournalHandler: Sendable {
    let services: ControlServices
    private let words: JournalWords

    init(services: ControlServices) {
        self.services = services
        words = JournalWords(services.apiFaces, services.faces)
    }

    var endpoints: [ControlEndpoint] {
        let filter = ControlQuery.journal(JournalFilter.parameters)
        return [
            .control("listJournal", .get, "/v1/journal", query: filter, handler: list),
            .control(
                "waitForJournal",
                .get,
                "/v1/journal/wait",
                query: .journal(JournalWait.parameters),
                handler: wait
            ),
            .control("exportJournal", .get, "/v1/journal/export", query: filter, handler: export),
            .control("clearJournal", .delete, "/v1/journal", handler: clear),
            .control("getJournalEntry", .get, "/v1/journal/{requestId}", handler: get),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let filter = try read(exchange) { query throws(JournalFilterFault) in try JournalFilter.parse(query) }
        // One more than is shown tells whether there is more.
        var wider = filter
        wider.limit += 1
        var page = await services.journal.entries(of: exchange.tenant, matching: wider)
        let hasMore = page.items.count > filter.limit
        page.items = Array(page.items.prefix(filter.limit))
        return .json(page.json.adding("more", .bool(hasMore)))
    }

    /// A long poll: answers as soon as enough entries match, those that are there counted, and else when time, tenant or server
    /// end.
    func wait(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let wait = try read(exchange) { query throws(JournalFilterFault) in try JournalWait.parse(query) }
        let (journal, tenant) = (services.journal, exchange.tenant)
        guard let watch = await journal.watch(tenant, matching: wait.filter, count: wait.count) else {
            throw Refusal(.failed("journal.wait", LongPollFault.tooMany))
        }
        if !watch.isComplete, wait.milliseconds > 0 {
            guard let pause = services.pauses.openBounded(in: tenant) else {
                await journal.close(watch, of: tenant)
                throw Refusal(.failed("journal.wait", LongPollFault.tooMany))
            }
            watch.whenDone { pause.wake() }
            _ = await services.pauses.wait(pause, in: tenant, milliseconds: wait.milliseconds)
        }
        await journal.close(watch, of: tenant)
        // Asked before the entries are taken: what is complete shows at least what made it so.
        let isComplete = watch.isComplete
        let page = await journal.entries(of: tenant, matching: wait.filter, from: watch.start)
        let now = try await services.worlds.read(tenant, \.now)
        return .json(page.json(isComplete: isComplete).adding("now", .string(RFC3339.format(now))))
    }

    /// Every entry that matches, oldest first, one on each line.
    func export(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let filter = try read(exchange) { query throws(JournalFilterFault) in
            try JournalFilter.parse(query, limit: .max)
        }
        let page = await services.journal.entries(of: exchange.tenant, matching: filter)
        return HTTPResponse(
            status: 200,
            headers: HTTPHeaders([(.contentType, "application/x-ndjson")]),
            body: page.lines
        )
    }

    /// What the query asks for; a wrong parameter is refused by name.
    private func read<Value>(
        _ exchange: Exchange,
        _ parse: ([(name: String, value: String)]) throws(JournalFilterFault) -> Value
    ) throws(Refusal) -> Value where Value: FilteringJournal {
        do {
            let value = try parse(exchange.request.query)
            try words.check(value.journalFilter)
            return value
        } catch {
            throw Refusal(.failed(.query(error.parameter), error.reason, evidence: error.message))
        }
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let id = exchange.parameters["requestId"]
        let entries = await services.journal.entries(of: exchange.tenant, requestID: id)
        guard !entries.isEmpty else { throw Refusal(.failed("journal.entry", ControlFault.journalEntryNotFound)) }
        return .json(["items": .array(entries.map(\.json))])
    }

    func clear(_ exchange: inout Exchange) async throws -> HTTPResponse {
        await services.journal.clear(exchange.tenant)
        return .empty(status: 204)
    }
}

/// A question that filters the journal.
private protocol FilteringJournal {
    var journalFilter: JournalFilter { get }
}

extension JournalFilter: FilteringJournal {
    fileprivate var journalFilter: JournalFilter { self }
}

extension JournalWait: FilteringJournal {
    fileprivate var journalFilter: JournalFilter { filter }
}
