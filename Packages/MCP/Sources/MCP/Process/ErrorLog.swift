// SPDX-License-Identifier: MIT

/// The newest bytes of what a program says.
struct ErrorLog: Sendable {
    private let limit: Int
    private var bytes: [UInt8] = []
    /// How many bytes there were before those that are kept.
    private(set) var droppedCount = 0

    init(limit: Int) { self.limit = max(0, limit) }

    mutating func append(_ piece: some Collection<UInt8>) {
        bytes.append(contentsOf: piece.suffix(limit))
        droppedCount += max(0, piece.count - limit)
        // Only at twice the limit, so that a flood costs no more than its length.
        if bytes.count > limit * 2 { trim() }
    }

    private mutating func trim() {
        let excess = max(0, bytes.count - limit)
        bytes.removeFirst(excess)
        droppedCount += excess
    }

    /// The text, with U+FFFD for what is no UTF-8.
    var text: String { String(decoding: bytes.suffix(limit), as: UTF8.self) }
}
