// SPDX-License-Identifier: MIT

import CrashReports
import FoundationEssentials
import Glibc
import ProductVersion

/// `main` is synchronous, because libdispatch's main loop would take the signals from the thread that waits for them.
@main
struct Main {
    static func main() {
        let interruption = Interruption()
        let words = HandedWords.words(Array(CommandLine.arguments.dropFirst()))
        let environment = ProcessInfo.processInfo.environment
        // On this thread, so that it has a stack to report an overflow from. Without a home there is no report.
        if let paths = try? AppPaths(environment: environment) {
            try? CrashReporter.install(folder: paths.crashes, version: ProductVersion.current)
        }
        // Not exit(): its handlers free what other threads may still use. Output is written at once, nothing is buffered.
        let task = Task.detached { _exit(await Program(environment: environment).run(words).rawValue) }
        interruption.wait { task.cancel() }
    }
}

/// Turns Ctrl-C, hang-up and termination into a cancellation.
///
/// All threads block the signals and the waiting thread takes them, so no code runs in a signal handler. The first one
/// cancels, which closes devices and files in order; the second one ends the process at once.
struct Interruption {
    private var signals = sigset_t()

    /// Blocks the signals; call it before any other thread is started, so that all inherit it.
    init() {
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Takes the signals on this thread. The process ends on another thread, or at the second signal.
    func wait(_ cancel: () -> Void) -> Never {
        var signals = signals
        var signal: Int32 = 0
        sigwait(&signals, &signal)
        cancel()
        sigwait(&signals, &signal)
        _exit(128 + signal)
    }
}
