// SPDX-License-Identifier: MIT

internal import CGIO
import DBus

/// The players on a bus. Every call blocks, for at most the timeout.
final class PlayerBus {
    private static let prefix = "org.mpris.MediaPlayer2."
    /// A proxy for the player that was used last, which is on the bus itself.
    private static let standIn = "org.mpris.MediaPlayer2.playerctld"
    private static let limit = 16

    private let bus: BusConnection

    /// - Parameter timeout: The longest wait for a reply, in milliseconds.
    init?(address: String, timeout: Int32) {
        guard let bus = BusConnection(address: address, timeout: timeout) else { return nil }
        self.bus = bus
    }

    /// True once the bus has gone.
    var isClosed: Bool { bus.isClosed }

    /// The players, each by the unique name of its connection: a call to that name starts no program.
    func players() -> [PlayerPauses.Player] {
        let names = bus.ask(BusConnection.driver, "ListNames", [], reply: "(as)")?.strings ?? []
        var players: [PlayerPauses.Player] = []
        for name in names.sorted().prefix(1_000)
        where name.hasPrefix(Self.prefix) && name != Self.standIn {
            guard players.count < Self.limit,
                let owner = bus.ask(BusConnection.driver, "GetNameOwner", [name], reply: "(s)")?.strings
                    .first,
                !players.contains(owner)
            else { continue }
            players.append(owner)
        }
        return players
    }

    /// A player's status; nil if it has gone or reports an unknown one.
    func status(of player: PlayerPauses.Player) -> PlayerPauses.Status? {
        let object = BusConnection.Object(
            name: player, path: "/org/mpris/MediaPlayer2", interface: "org.freedesktop.DBus.Properties")
        return bus.ask(
            object, "Get", ["org.mpris.MediaPlayer2.Player", "PlaybackStatus"], reply: "(v)")?.strings
            .first
            .flatMap(PlayerPauses.Status.init)
    }

    /// Calls one of a player's methods, such as `Pause`.
    func tell(_ player: PlayerPauses.Player, _ method: String) -> PlayerPauses.Answer {
        let object = BusConnection.Object(
            name: player, path: "/org/mpris/MediaPlayer2", interface: "org.mpris.MediaPlayer2.Player")
        switch bus.call(object, method, [], reply: nil) {
        case .success: return .done
        case .failure(let error): return error.isTimeout ? .unanswered : .refused
        }
    }
}
