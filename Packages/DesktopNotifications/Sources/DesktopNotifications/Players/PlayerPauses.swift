// SPDX-License-Identifier: MIT

/// Decides which media players pause during a recording, and which resume afterwards. Pure: it makes no call.
///
/// Only players that play are paused, and only those that were paused here are started again, unless a person has used
/// their controls meanwhile. After a crash they stay paused, which does less harm.
struct PlayerPauses: Sendable {
    /// `PlaybackStatus` of MPRIS 2.2.
    enum Status: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    /// The outcome of a call of `Pause`.
    enum Answer: Sendable {
        case done
        /// The player refuses, or has gone: it will not be resumed.
        case refused
        /// It may still pause later.
        case unanswered
    }

    /// A player by the unique name of its connection, which the bus gives to no other program.
    typealias Player = String

    private enum Standing {
        case asked
        case ours
    }

    private var players: [Player: Standing] = [:]

    /// A recording starts.
    ///
    /// - Parameter found: The players, each with its status; nil if it reports none.
    /// - Returns: The players to pause, in order.
    mutating func recordingStarts(_ found: [(player: Player, status: Status?)]) -> [Player] {
        var pauses: [Player] = []
        for (player, status) in found where status == .playing && players[player] == nil {
            players[player] = .asked
            pauses.append(player)
        }
        return pauses
    }

    /// Takes the outcome of `Pause` for a player.
    mutating func paused(_ player: Player, _ answer: Answer) {
        guard players[player] != nil else { return }
        players[player] = answer == .refused ? nil : .ours
    }

    /// The players whose status matters at the end: those that were paused here.
    var ours: [Player] { players.filter { $0.value == .ours }.map(\.key).sorted() }

    /// The recording has ended, in whatever way.
    ///
    /// - Parameter status: Returns the present status of a player; nil if it has gone.
    /// - Returns: The players to start again.
    mutating func recordingEnds(_ status: (Player) -> Status?) -> [Player] {
        defer { players = [:] }
        return ours.filter { status($0) == .paused }
    }
}
