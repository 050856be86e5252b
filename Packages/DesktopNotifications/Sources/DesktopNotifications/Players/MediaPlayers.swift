// SPDX-License-Identifier: MIT

import Concurrency
import DBus

/// Pauses the media players of this session during a recording, and resumes them afterwards (MPRIS 2.2).
///
/// Without a session bus there are no players. Every call blocks on a queue of the actor's own, at most half a second
/// for each player.
public actor MediaPlayers {
    private nonisolated let executor = QueueExecutor(label: "media-players")
    private let address: String?
    private let timeout: Int32
    private var bus: PlayerBus?
    private var pauses = PlayerPauses()

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes it without a connection.
    ///
    /// - Parameter address: The bus; the session's (`DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`) if nil.
    public init(address: String? = nil) {
        self.init(address: address, timeout: 500)
    }

    /// - Parameter timeout: The longest wait for a player's reply, in milliseconds.
    init(address: String?, timeout: Int32) {
        self.address = address ?? SessionBus.address
        self.timeout = timeout
    }

    /// Pauses every player that plays.
    ///
    /// - Returns: The number of players that ``resumePaused()`` will check.
    @discardableResult
    public func pausePlaying() -> Int {
        // The names of a bus that has gone may be others' on the next one.
        if bus?.isClosed == true { (bus, pauses) = (nil, PlayerPauses()) }
        guard let bus = bus ?? address.flatMap({ PlayerBus(address: $0, timeout: timeout) }) else { return 0 }
        self.bus = bus
        for player in pauses.recordingStarts(bus.players().map { ($0, bus.status(of: $0)) }) {
            pauses.paused(player, bus.tell(player, "Pause"))
        }
        return pauses.ours.count
    }

    /// Resumes the players that ``pausePlaying()`` paused and that no person has touched since.
    ///
    /// - Returns: The number of resumed players.
    @discardableResult
    public func resumePaused() -> Int {
        guard let bus else { return 0 }
        let resumed = pauses.recordingEnds { bus.status(of: $0) }
        for player in resumed { _ = bus.tell(player, "Play") }
        return resumed.count
    }
}
