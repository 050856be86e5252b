// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

@main
struct Main {
    static func main() async {
        let interruption = Interruption()
        let environment = ProcessInfo.processInfo.environment
        let words = Array(CommandLine.arguments.dropFirst())
        let task = Task { await Program(environment: environment).run(words) }
        interruption.whenItComes { task.cancel() }
        exit(await task.value.rawValue)
    }
}
