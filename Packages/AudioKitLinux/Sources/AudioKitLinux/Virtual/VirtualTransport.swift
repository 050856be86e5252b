// SPDX-License-Identifier: MIT

/// The frame counters of one direction of a virtual card. All counts are frames since the last prepare.
struct VirtualTransport {
    var isOpen = false
    var isRunning = false
    var bufferFrames = 0
    var periodFrames = 0
    /// The card's position.
    var position = 0
    /// The program's position.
    var applied = 0
    /// The card clock's frame at position 0.
    var origin = 0
    /// Frames between the card and the program: captured and not yet read, or written and not yet heard.
    var pending: [Int16] = []
    var hasXrun = false
    var mustSuspend = false
    /// True if it stalls without an error, until it is closed.
    var isFrozen = false
    var mustFail = false
    /// True if the card was unplugged while it was open: it stays unusable when the card returns.
    var isCut = false

    /// Frames that the program can read or write now.
    func available(_ direction: AudioDirection) -> Int {
        direction == .capture ? position - applied : bufferFrames - (applied - position)
    }

    /// Resets it for a new run; earlier captured frames stay if `keepsPending`.
    mutating func prepare(keepsPending: Bool) {
        isRunning = false
        position = 0
        applied = 0
        hasXrun = false
        if !keepsPending { pending = [] }
    }

    /// Takes back frames that the program rewound: only `count` frames since the last prepare are valid.
    mutating func rewind(to count: Int, channels: Int) {
        let back = min(applied - count, pending.count / channels)
        guard back > 0 else { return }
        pending.removeLast(back * channels)
        applied -= back
    }

    mutating func start(at frame: Int, channels: Int, direction: AudioDirection) {
        if direction == .capture { position = pending.count / channels }
        origin = frame - position
        isRunning = true
    }
}
