// SPDX-License-Identifier: MIT

/// One direction of a virtual card: where its frame counters stand. All counts are frames since the last prepare.
struct VirtualTransport {
    var isOpen = false
    var isRunning = false
    var bufferFrames = 0
    var periodFrames = 0
    /// How far the card is.
    var position = 0
    /// How far the program is.
    var applied = 0
    /// The card clock's frame at position 0.
    var origin = 0
    /// Between the card and the program: captured and not yet read, or written and not yet heard.
    var pending: [Int16] = []
    var hasXrun = false
    var mustSuspend = false
    /// Stands still without saying so, until it is closed.
    var isFrozen = false
    var mustFail = false
    /// The plug was pulled while it was open: it stays useless when the card comes back.
    var isCut = false

    /// Frames that the program can read or write now.
    func available(_ direction: AudioDirection) -> Int {
        direction == .capture ? position - applied : bufferFrames - (applied - position)
    }

    /// Back to the beginning, for a new run; what was captured before stays if `keepsPending`.
    mutating func prepare(keepsPending: Bool) {
        isRunning = false
        position = 0
        applied = 0
        hasXrun = false
        if !keepsPending { pending = [] }
    }

    /// Takes back what the program rewound: only `count` frames since the last prepare are valid.
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
