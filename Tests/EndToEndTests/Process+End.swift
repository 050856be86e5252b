// SPDX-License-Identifier: MIT

import Foundation
import Glibc

extension Process {
    /// The way a process ended: its exit code, or the number of the signal that ended it.
    struct End: Sendable {
        let status: Int32
        let isSignal: Bool
    }

    /// Waits for the end, by the kernel's word. `waitUntilExit` looks at what a thread of Foundation's notes, which now and then
    /// misses the end, and then it waits for good.
    func end() -> End {
        var information = siginfo_t()
        var result: Int32
        // Not reaped, since Foundation does that; where it already has, its note is there, too.
        repeat {
            result = waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT)
        } while result != 0 && errno == EINTR
        guard result == 0 else {
            waitUntilExit()
            return End(status: terminationStatus, isSignal: terminationReason == .uncaughtSignal)
        }
        return End(status: information._sifields._sigchld.si_status, isSignal: information.si_code != CLD_EXITED)
    }
}
