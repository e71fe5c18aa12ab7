#if DEBUG
internal import Glibc
internal import Synchronization

/// A step that held a loop for long: everybody else on the loop waited for it.
package struct LongStep: Sendable, Equatable {
    /// Method and path of the request; nil for what is for no request.
    package let request: String?
    /// Of the thread's own processor time, so that other work on the machine counts for nothing.
    package let milliseconds: Double
}

/// Looks how long each step of a loop takes. In debug builds only: asking for the time is a system call.
final class StepWatch: Sendable {
    /// About twenty times what the same step takes in a release build.
    private static let longest = 5.0
    /// A loop that is held all the time need not fill the memory, too.
    private static let most = 1_000
    private let steps = Mutex<[LongStep]>([])

    /// The long steps so far.
    var seen: [LongStep] { steps.withLock { $0 } }

    /// Runs a step of a request and remembers it when it was long. Loop thread only.
    func run(_ request: String?, _ step: () -> Void) {
        let start = StepWatch.now
        step()
        let milliseconds = StepWatch.now - start
        guard milliseconds > StepWatch.longest else { return }
        steps.withLock { steps in
            if steps.count < StepWatch.most {
                steps.append(LongStep(request: request, milliseconds: milliseconds))
            }
        }
    }

    /// The calling thread's processor time, in milliseconds.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
}

/// `LoopTasks` of one request, so that a step is known to be the request's.
final class RequestTasks: TaskExecutor {
    let request: String
    private let mailbox: LoopMailbox

    /// An executor over `mailbox`.
    init(mailbox: LoopMailbox, request: String) {
        self.mailbox = mailbox
        self.request = request
    }

    /// As `LoopTasks` does.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if !mailbox.post(.named(job, self)) { globalConcurrentExecutor.enqueue(job) }
    }
}

extension LoopItem {
    /// The request that it is for, when that is known.
    var request: String? {
        if case .named(_, let tasks) = self { tasks.request } else { nil }
    }
}
#endif
