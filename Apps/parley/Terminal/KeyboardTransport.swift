// SPDX-License-Identifier: MIT

import AudioKitLinux

/// Lets Enter press pause, and the end of typed input press stop.
struct KeyboardTransport: Sendable {
    let control: TransportControl

    /// Runs `body`, watching standard input as long as it goes on. Input that ends at once, as in a script, stops nothing.
    func run<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let input = InputStream()
        let watcher = Task {
            for await _ in input.lines() { control.togglePause() }
            if input.isTerminal { control.stop() }
        }
        defer { watcher.cancel() }
        return try await body()
    }
}

extension Duration {
    /// Minutes, seconds and tenths: 1:05.3.
    var clock: String {
        let tenths = Int((self / .milliseconds(100)).rounded(.down))
        let seconds = tenths / 10 % 60
        return "\(tenths / 600):\(seconds < 10 ? "0" : "")\(seconds).\(tenths % 10)"
    }
}
