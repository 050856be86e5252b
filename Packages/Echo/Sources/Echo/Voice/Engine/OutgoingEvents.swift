// SPDX-License-Identifier: MIT

import Concurrency

/// What waits to be sent to one session, in order: bounded by how long the line may take, and by how much sound may wait.
final class OutgoingEvents: Sendable {
    /// How much sound from the microphone may wait, in bytes: almost three minutes of it.
    static let maximumSound = 8 << 20
    /// The line counts as alive while it takes so many bytes a second of one large event.
    private static let slowest = 65_536
    /// Pieces from the microphone are smaller than this; larger ones repeat what was said before, and are not counted.
    private static let largestPiece = 32_768

    private struct State {
        /// How much each event that waits has; the first is on its way.
        var sizes: ArraySlice<Int> = []
        var sound = 0
        /// When the line last took something, or something began to wait.
        var progress = Duration.zero
        var isEnded = false
    }

    private let patience: Duration
    /// For one consumer.
    let events: AsyncStream<ClientEvent>
    private let continuation: AsyncStream<ClientEvent>.Continuation
    private let state = Guarded(State())

    /// - Parameter patience: How long the line may take no more of what waits.
    init(patience: Duration = VoiceConfiguration.Limits().sending) {
        self.patience = patience
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Adds an event.
    ///
    /// - Returns: False if too much waits.
    func add(_ event: ClientEvent, at now: Duration) -> Bool {
        let size = event.detail.byteCount
        let isTaken = state.withLock { state in
            guard !state.isEnded else { return true }
            if state.sizes.isEmpty { state.progress = now }
            let sound = Self.counted(size)
            guard state.sound + sound <= Self.maximumSound else { return false }
            state.sizes.append(size)
            state.sound += sound
            return true
        }
        if isTaken { continuation.yield(event) }
        return isTaken
    }

    /// The first event was sent.
    func sent(at now: Duration) {
        state.withLock { state in
            guard let size = state.sizes.popFirst() else { return }
            state.sound -= Self.counted(size)
            state.progress = now
        }
    }

    /// When the line has failed, unless it takes something before; `nil` while nothing waits.
    var deadline: Duration? {
        state.withLock { state in
            state.sizes.first.map { state.progress + patience + .seconds($0 / Self.slowest) }
        }
    }

    /// Nothing more is sent.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.sizes = []
        }
        continuation.finish()
    }

    private static func counted(_ size: Int) -> Int { size <= largestPiece ? size : 0 }
}

extension ClientEvent.Detail {
    /// About how much it has.
    fileprivate var byteCount: Int {
        switch self {
        case .inputAudioAppend(let bytes): bytes.count
        case .itemCreate(.message(let message), _):
            message.content.reduce(256) { sum, part in
                let size = if case .inputAudio(let audio?, _) = part { audio.count } else { part.text?.utf8.count ?? 0 }
                return sum + size
            }
        default: 256
        }
    }
}
