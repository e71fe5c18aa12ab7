internal import CLibevent
internal import Glibc
internal import Threads

/// The thread behind an `EventLoop`, and the `event_base` that it owns.
final class LoopThread: @unchecked Sendable {
    // Safe because `base` never changes and is used by the loop thread only, `ending` and `roundEnds` are used by the loop
    // thread only, and `thread` is written once, before anybody else has this object.

    let base: OpaquePointer
    private let executor: LoopExecutor
    private let tasks: LoopTasks
    private let wake: OpaquePointer
    private var thread: Thread?
    private var ending = false
    private var roundEnds: [() -> Void] = []
    #if DEBUG
    let watch = StepWatch()
    #endif

    /// Makes the base and starts the thread; returns when the thread runs.
    init(executor: LoopExecutor, tasks: LoopTasks) throws(TransportFault) {
        guard let base = event_base_new() else { throw .system(call: "event_base_new", number: errno) }
        // Edge-triggered: each write to the descriptor is one event, so the counter is never read.
        let what = shim_EV_READ | shim_EV_PERSIST | shim_EV_ET
        guard let wake = event_new(base, executor.mailbox.descriptor, what, loopWoken, nil), event_add(wake, nil) == 0
        else {
            event_base_free(base)
            throw .system(call: "event_new", number: errno)
        }
        self.base = base
        self.wake = wake
        self.executor = executor
        self.tasks = tasks
        let isRunning = Monitor(false)
        do throws(ThreadFault) {
            thread = try Thread("loop") { [self] in
                executor.adoptCurrentThread()
                isRunning.signal { isRunning in isRunning = true }
                run()
            }
        } catch {
            event_free(wake)
            event_base_free(base)
            throw .system(call: "pthread_create", number: error.code)
        }
        isRunning.wait { isRunning in isRunning ? () : nil }
    }

    /// Ends the thread after what was posted before, and joins it. From the loop thread itself it only asks.
    func stop() {
        executor.mailbox.post(.work { [self] in ending = true })
        thread?.join()
    }

    /// The loop. Answers first, then sockets; sleeps in libevent only when the mailbox is empty.
    private func run() {
        var batch: [LoopItem] = []
        batch.reserveCapacity(64)
        while !ending {
            executor.mailbox.take(into: &batch)
            // One round in either case: alone, NONBLOCK would repeat for as long as any socket is ready.
            let flags = batch.isEmpty ? shim_EVLOOP_ONCE : shim_EVLOOP_ONCE | shim_EVLOOP_NONBLOCK
            perform(&batch)
            endRound()
            if !ending { event_base_loop(base, flags) }
            endRound()
        }
        executor.whileEnding {
            batch = executor.mailbox.shut()
            perform(&batch)
            event_free(wake)
            event_base_free(base)
        }
    }

    /// Runs `work` on the loop thread when the sockets and answers at hand have been seen to. Loop thread only.
    func atEndOfRound(_ work: @escaping () -> Void) { roundEnds.append(work) }

    /// Runs what was left for the end of the round.
    private func endRound() {
        guard !roundEnds.isEmpty else { return }
        let ends = roundEnds
        roundEnds.removeAll(keepingCapacity: true)
        for end in ends { end() }
    }

    /// Runs and empties one batch.
    private func perform(_ batch: inout [LoopItem]) {
        for item in batch {
            #if DEBUG
            watch.run(item.request) { perform(item) }
            #else
            perform(item)
            #endif
        }
        batch.removeAll(keepingCapacity: true)
    }

    private func perform(_ item: LoopItem) {
        switch item {
        case .job(let job): job.runSynchronously(on: executor.asUnownedSerialExecutor())
        case .task(let job): job.runSynchronously(on: tasks.asUnownedTaskExecutor())
        case .work(let work): work()
        #if DEBUG
        case .named(let job, let tasks): job.runSynchronously(on: tasks.asUnownedTaskExecutor())
        #endif
        }
    }
}

/// Nothing to do: `LoopThread.run` takes the mailbox after each round.
private func loopWoken(_ descriptor: Int32, _ what: Int16, _ context: UnsafeMutableRawPointer?) {}
