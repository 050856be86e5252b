// SPDX-License-Identifier: MIT

/// How long a body may take to come in. Time in which the handler holds it back does not count.
struct TransferMeter: Sendable {
    private var bytes = 0
    private var elapsed = Duration.zero
    private var since: MonotonicTime?

    /// The network is being read, or is not.
    mutating func setRunning(_ isRunning: Bool, at now: MonotonicTime) {
        if let since { elapsed += now.duration(since: since) }
        since = isRunning ? now : nil
    }

    mutating func add(_ count: Int) {
        bytes += count
    }

    /// How much longer the next byte may take.
    func allowance(_ limits: HTTPServerConfiguration) -> Duration {
        let whole = limits.transferGrace + .forTransfer(of: bytes, at: limits.minimumBytesPerSecond)
        return min(limits.bodyIdleTimeout, whole - elapsed)
    }
}
