// SPDX-License-Identifier: MIT

/// Decides which media players rest while something is recorded, and which go on afterwards. Pure: it asks nobody.
///
/// Only players that play are paused, and only those that we paused are started again, unless a person has pressed a button
/// of theirs meanwhile. After a crash they stay paused, which is no worse.
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
        /// The player refuses, or has gone: it is not ours.
        case refused
        /// It may still do it later.
        case unanswered
    }

    /// A player by the unique name of its connection, which no other program gets.
    typealias Player = String

    private enum Standing {
        case asked
        case ours
    }

    private var players: [Player: Standing] = [:]

    /// A recording starts.
    ///
    /// - Parameter found: The players, each with its status; nil for one that does not say.
    /// - Returns: The players to pause, in order.
    mutating func recordingStarts(_ found: [(player: Player, status: Status?)]) -> [Player] {
        var pauses: [Player] = []
        for (player, status) in found where status == .playing && players[player] == nil {
            players[player] = .asked
            pauses.append(player)
        }
        return pauses
    }

    /// A player answered `Pause`, or did not.
    mutating func paused(_ player: Player, _ answer: Answer) {
        guard players[player] != nil else { return }
        players[player] = answer == .refused ? nil : .ours
    }

    /// The players whose status matters at the end.
    var ours: [Player] { players.filter { $0.value == .ours }.map(\.key).sorted() }

    /// The recording is over, however it ended.
    ///
    /// - Parameter status: The status of a player now; nil for one that has gone.
    /// - Returns: The players to start again.
    mutating func recordingEnds(_ status: (Player) -> Status?) -> [Player] {
        defer { players = [:] }
        return ours.filter { status($0) == .paused }
    }
}
