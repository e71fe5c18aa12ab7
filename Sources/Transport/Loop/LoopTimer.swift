internal import CLibevent

/// A repeating timer of the loop. Made, used and freed on the loop thread; owns its libevent event.
final class LoopTimer {
    private let raw: OpaquePointer
    private let interval: timeval
    private let action: () -> Void

    /// The action runs on the loop thread, each `seconds` after `start`. Nil when memory is short.
    init?(base: OpaquePointer, seconds: Double, action: @escaping () -> Void) {
        // The event's argument is set below, because `self` cannot be used before every property has a value.
        guard let raw = event_new(base, -1, shim_EV_PERSIST, nil, nil) else { return nil }
        self.raw = raw
        self.action = action
        let whole = Int(seconds)
        interval = timeval(tv_sec: whole, tv_usec: Int((seconds - Double(whole)) * 1_000_000))
        event_assign(raw, base, -1, shim_EV_PERSIST, timerFired, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { event_free(raw) }

    /// Begins to count, unless it does already.
    func start() {
        guard event_pending(raw, shim_EV_TIMEOUT, nil) == 0 else { return }
        var interval = interval
        event_add(raw, &interval)
    }

    /// Stops counting; `start` begins anew.
    func stop() { event_del(raw) }

    /// The interval is over.
    fileprivate func fire() { action() }
}

/// libevent's call on the loop thread.
private func timerFired(_ descriptor: Int32, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let timer = Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue()
    // The action may let go of its timer.
    withExtendedLifetime(timer) { timer.fire() }
}
