// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import Diagnostics

/// The sound that this process plays, for the listener that must not mistake it for speech.
///
/// Players report their playback; the listener takes the announced sound with its times. One listener, any number of players.
public final class OwnSound: Sendable {
    private struct State {
        var players: [Player] = []
        /// The announcements of ended players that the listener has not taken.
        var remains: [PlaybackAnnouncement] = []
        /// The time at which the last player ended.
        var ended: ContinuousClock.Instant?
    }

    private struct Player {
        let playback: AudioPlayback
        let announcements: PlaybackAnnouncements
    }

    private let state = Guarded(State())

    /// Makes a value without players.
    public init() {}

    /// True while something is played.
    public var isPlaying: Bool { state.withLock { !$0.players.isEmpty } }

    /// True if something was played when the microphone captured the sound of `instant`; also true for any sound before
    /// the end of the current or last playback, since sound that is processed late was captured earlier.
    func wasPlaying(at instant: ContinuousClock.Instant) -> Bool {
        state.withLock { state in !state.players.isEmpty || state.ended.map { instant <= $0 } ?? false }
    }

    /// Adds a playback that begins.
    func began(_ playback: AudioPlayback) {
        let announcements = playback.announcements()
        state.withLock { $0.players.append(Player(playback: playback, announcements: announcements)) }
    }

    /// Removes a playback that has ended.
    func ended(_ playback: AudioPlayback, at instant: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.ended = instant
            state.players.removeAll { player in
                guard player.playback === playback else { return false }
                // Without a listener, the waiting announcements are old.
                state.remains = Array((state.remains + player.announcements.take()).suffix(512))
                return true
            }
        }
    }

    /// Takes the announcements since the last call, each player's in order.
    func take() -> [PlaybackAnnouncement] {
        state.withLock { state in
            defer { state.remains = [] }
            return state.remains + state.players.flatMap { $0.announcements.take() }
        }
    }
}
