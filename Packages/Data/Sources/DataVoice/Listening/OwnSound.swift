// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import Diagnostics

/// What this process plays, for the ear that must not mistake it for somebody's speech.
///
/// Whoever plays says so; the ear takes what will be audible, and when. One ear, any number of players.
public final class OwnSound: Sendable {
    private struct State {
        var players: [Player] = []
        /// How much of what was announced is kept when a player ends before the ear has taken it.
        var remains: [PlaybackAnnouncement] = []
        /// When the last player ended.
        var ended: ContinuousClock.Instant?
    }

    private struct Player {
        let playback: AudioPlayback
        let announcements: PlaybackAnnouncements
    }

    private let state = Guarded(State())

    /// Nothing plays yet.
    public init() {}

    /// Whether something is being played at this moment.
    public var isPlaying: Bool { state.withLock { !$0.players.isEmpty } }

    /// Whether something was being played when the microphone heard what came to it at `instant`; true also for what was
    /// heard before the playing that goes on now or ended last. What is late in being looked at was heard earlier.
    func wasPlaying(at instant: ContinuousClock.Instant) -> Bool {
        state.withLock { state in !state.players.isEmpty || state.ended.map { instant <= $0 } ?? false }
    }

    /// `playback` begins.
    func began(_ playback: AudioPlayback) {
        let announcements = playback.announcements()
        state.withLock { $0.players.append(Player(playback: playback, announcements: announcements)) }
    }

    /// `playback` is over.
    func ended(_ playback: AudioPlayback, at instant: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.ended = instant
            state.players.removeAll { player in
                guard player.playback === playback else { return false }
                // Without a taker, what waits is from long ago.
                state.remains = Array((state.remains + player.announcements.take()).suffix(512))
                return true
            }
        }
    }

    /// What was announced since the last time, each player's in order.
    func take() -> [PlaybackAnnouncement] {
        state.withLock { state in
            defer { state.remains = [] }
            return state.remains + state.players.flatMap { $0.announcements.take() }
        }
    }
}
