// SPDX-License-Identifier: MIT

internal import CGIO

/// The players on a bus. Everything here blocks, for at most the timeout a call.
final class PlayerBus {
    private static let prefix = "org.mpris.MediaPlayer2."
    /// It stands for the player that was used last, which is on the bus itself.
    private static let standIn = "org.mpris.MediaPlayer2.playerctld"
    private static let limit = 16

    private let bus: BusConnection

    /// - Parameter timeout: The longest wait for a reply, in milliseconds.
    init?(address: String, timeout: Int32) {
        guard let bus = BusConnection(address: address, timeout: timeout) else { return nil }
        self.bus = bus
    }

    /// The players, each by the unique name of its connection: nothing is started by asking that.
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

    /// A player's status; nil for one that has gone or says nothing that is known.
    func status(of player: PlayerPauses.Player) -> PlayerPauses.Status? {
        let object = BusConnection.Object(
            name: player, path: "/org/mpris/MediaPlayer2", interface: "org.freedesktop.DBus.Properties")
        return bus.ask(
            object, "Get", ["org.mpris.MediaPlayer2.Player", "PlaybackStatus"], reply: "(v)")?.strings
            .first
            .flatMap(PlayerPauses.Status.init)
    }

    /// Presses one of a player's buttons.
    func tell(_ player: PlayerPauses.Player, _ method: String) -> PlayerPauses.Answer {
        let object = BusConnection.Object(
            name: player, path: "/org/mpris/MediaPlayer2", interface: "org.mpris.MediaPlayer2.Player")
        switch bus.call(object, method, [], reply: nil) {
        case .success: return .done
        case .failure(let error): return error.isTimeout ? .unanswered : .refused
        }
    }
}
