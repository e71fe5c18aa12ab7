import Core
import Networks
import Traffic
import Web
import Wire

/// The journal: what was asked, what was answered and why.
struct JournalHandler: Sendable {
    let services: ControlServices

    var operations: [Networks.Operation] {
        [
            .control("listJournal", .get, "/v1/journal", handler: list),
            .control("clearJournal", .delete, "/v1/journal", handler: clear),
            .control("getJournalEntry", .get, "/v1/journal/{requestId}", handler: get),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let filter: JournalFilter
        do {
            filter = try JournalFilter.parse(exchange.request.query)
        } catch {
            throw Refusal(
                .failed("query.\(error.parameter)", error.reason, evidence: error.message),
                members: JSONObject([("parameter", .string(error.parameter))])
            )
        }
        return .json(await services.journal.entries(of: exchange.tenant, matching: filter).json)
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
