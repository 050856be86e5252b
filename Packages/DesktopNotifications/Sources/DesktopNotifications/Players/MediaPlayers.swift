// SPDX-License-Identifier: MIT

import Concurrency

/// Pauses the media players of this session while something is recorded, and lets them go on afterwards (MPRIS 2.2).
///
/// Without a session bus there are none. Everything blocks on a queue of the actor's own, half a second a player at most.
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

    /// Makes it; nothing is connected yet.
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
    /// - Returns: How many there are that ``resumePaused()`` will look at.
    @discardableResult
    public func pausePlaying() -> Int {
        guard let bus = bus ?? address.flatMap({ PlayerBus(address: $0, timeout: timeout) }) else { return 0 }
        self.bus = bus
        for player in pauses.recordingStarts(bus.players().map { ($0, bus.status(of: $0)) }) {
            pauses.paused(player, bus.tell(player, "Pause"))
        }
        return pauses.ours.count
    }

    /// Lets those go on that ``pausePlaying()`` paused and nobody has touched since.
    ///
    /// - Returns: How many that are.
    @discardableResult
    public func resumePaused() -> Int {
        guard let bus else { return 0 }
        let resumed = pauses.recordingEnds { bus.status(of: $0) }
        for player in resumed { _ = bus.tell(player, "Play") }
        return resumed.count
    }
}
