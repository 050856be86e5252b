// SPDX-License-Identifier: MIT

import Concurrency

/// The written bytes of an answer's body that are not sent yet.
struct OutgoingBody {
    /// The bytes that can be sent now.
    enum Piece: Hashable {
        case bytes(ArraySlice<UInt8>)
        /// No bytes now; more may follow.
        case nothing
        case end
        /// The body stays incomplete, so the connection must be cut.
        case failed
    }

    private var chunks: ArraySlice<ArraySlice<UInt8>> = []
    private var isFinished = false
    private var hasFailed = false
    /// The number of bytes that wait.
    private(set) var count = 0
    /// The bytes of the announced length that are not written yet; `nil` if no length was announced.
    var remaining: Int?

    /// Adds bytes at the end.
    ///
    /// - Returns: False if that would exceed the announced length.
    mutating func append(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return true }
        if let remaining {
            guard bytes.count <= remaining else { return false }
            self.remaining = remaining - bytes.count
        }
        chunks.append(bytes[...])
        count += bytes.count
        return true
    }

    mutating func finish() {
        isFinished = true
        if let remaining, remaining > 0 { hasFailed = true }
    }

    mutating func fail() {
        hasFailed = true
    }

    /// Takes at most `limit` bytes off the front.
    mutating func take(limit: Int) -> Piece {
        guard let first = chunks.first else { return hasFailed ? .failed : isFinished ? .end : .nothing }
        let piece = first.prefix(limit)
        count -= piece.count
        if piece.count == first.count {
            chunks.removeFirst()
        } else {
            chunks[chunks.startIndex] = first.dropFirst(piece.count)
        }
        return .bytes(piece)
    }
}

/// The time limit of a body's arrival. Time in which the handler holds it back does not count.
struct TransferMeter: Sendable {
    private var bytes = 0
    private var elapsed = Duration.zero
    private var since: MonotonicTime?

    /// Starts or stops the time of reading from the network.
    mutating func setRunning(_ isRunning: Bool, at now: MonotonicTime) {
        if let since { elapsed += now.duration(since: since) }
        since = isRunning ? now : nil
    }

    mutating func add(_ count: Int) {
        bytes += count
    }

    /// The time limit for the next byte.
    func allowance(_ limits: HTTPServerConfiguration) -> Duration {
        let whole = limits.transferGrace + .forTransfer(of: bytes, at: limits.minimumBytesPerSecond)
        return min(limits.bodyIdleTimeout, whole - elapsed)
    }
}

extension Duration {
    /// The time limit of a transfer at a rate.
    static func forTransfer(of bytes: Int, at bytesPerSecond: Int) -> Duration {
        bytesPerSecond > 0
            ? .milliseconds(min(Int64(bytes), 1 << 50) * 1_000 / Int64(bytesPerSecond)) : .seconds(1 << 32)
    }
}
