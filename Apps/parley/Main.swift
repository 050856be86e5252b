// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// Not an asynchronous `main`: libdispatch's main loop would take the signals away from the thread that waits for them.
@main
struct Main {
    static func main() {
        let interruption = Interruption()
        let environment = ProcessInfo.processInfo.environment
        let words = Array(CommandLine.arguments.dropFirst())
        let task = Task.detached { exit(await Program(environment: environment).run(words).rawValue) }
        interruption.wait { task.cancel() }
    }
}
