internal import Web

/// One call under way: what is wanted, until when, and who waits. Loop thread only.
final class ClientCall {
    let order: CallOrder
    let ticket: CallTicket
    /// On the client's clock.
    let deadline: Double
    private var waiter: CheckedContinuation<Result<HTTPResponse, HTTPCallFault>, Never>?

    /// A call whose time begins now.
    init(
        _ order: CallOrder,
        _ ticket: CallTicket,
        deadline: Double,
        waiter: CheckedContinuation<Result<HTTPResponse, HTTPCallFault>, Never>
    ) {
        self.order = order
        self.ticket = ticket
        self.deadline = deadline
        self.waiter = waiter
    }

    /// Tells the caller; only the first time counts.
    func end(_ result: Result<HTTPResponse, HTTPCallFault>) {
        let waiter = waiter
        self.waiter = nil
        waiter?.resume(returning: result)
    }
}
