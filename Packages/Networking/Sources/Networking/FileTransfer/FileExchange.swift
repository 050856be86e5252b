// SPDX-License-Identifier: MIT

import Concurrency
import Digests
import FoundationEssentials

/// One use of a connection: what is sent, what has come, and the time. Read by libcurl's thread, cancelled by any.
final class FileExchange: Sendable {
    /// A server's key, and what the file of known keys has.
    struct HostKey: Sendable {
        let bytes: [UInt8]
        let isChanged: Bool

        /// The fingerprint as `ssh` shows it; nil without libcrypto.
        var fingerprint: String? {
            guard let hash = try? MessageDigest.hash(bytes, .sha256) else { return nil }
            return "SHA256:" + Data(hash).base64EncodedString().prefix { $0 != "=" }
        }
    }

    private struct State {
        var rest: ArraySlice<UInt8>
        var received: [UInt8] = []
        var isTooLarge = false
        var isCancelled = false
        var isOver = false
        var moved: Int64 = 0
        var lastMove: Duration
        var refusedKey: HostKey?
    }

    /// The path, without a leading `/` below the user's home.
    let path: String
    /// True if the path is a folder that is listed.
    let isListing: Bool
    /// The bytes to upload; nil to receive some.
    let upload: [UInt8]?
    /// Commands of SFTP in libcurl's words, before all else.
    let commands: [String]
    private let limit: Int
    private let idleTimeout: Duration?
    private let clock: ClientClock
    private let state: Guarded<State>

    init(
        _ path: String, isListing: Bool = false, upload: [UInt8]? = nil, commands: [String] = [], upTo limit: Int = 0,
        idleTimeout: Duration?, clock: ClientClock
    ) {
        self.path = path
        self.isListing = isListing
        self.upload = upload
        self.commands = commands
        self.limit = limit
        self.idleTimeout = idleTimeout
        self.clock = clock
        state = Guarded(State(rest: (upload ?? [])[...], lastMove: clock.now()))
    }

    var received: [UInt8] { state.withLock { $0.received } }
    var isTooLarge: Bool { state.withLock { $0.isTooLarge } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// True once nothing moved for longer than the limit.
    var isOver: Bool { state.withLock { $0.isOver } }
    /// The server's key, if it is not the known one.
    var refusedKey: HostKey? { state.withLock { $0.refusedKey } }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Starts from the beginning. The time in line behind other exchanges does not count.
    func begin() {
        state.withLock { [now = clock.now(), upload] state in
            state.rest = (upload ?? [])[...]
            state.received = []
            (state.moved, state.lastMove) = (0, now)
        }
    }

    /// True if it may be done twice.
    var isRepeatable: Bool { commands.isEmpty }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            let piece = state.rest.prefix(buffer.count)
            buffer.copyBytes(from: piece)
            state.rest = state.rest.dropFirst(piece.count)
            return piece.count
        }
    }

    /// False ends the exchange: there is more than the limit.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let piece = [UInt8](bytes)
        return state.withLock { state in
            guard state.received.count + piece.count <= limit else {
                state.isTooLarge = true
                return false
            }
            state.received += piece
            return true
        }
    }

    /// False ends the exchange: it is cancelled, or its time is over.
    func goOn(moved: Int64) -> Bool {
        state.withLock { [now = clock.now()] state in
            if moved != state.moved { (state.moved, state.lastMove) = (moved, now) }
            if let idleTimeout, now - state.lastMove >= idleTimeout { state.isOver = true }
            return !state.isCancelled && !state.isOver
        }
    }

    func refuse(_ key: [UInt8], isChanged: Bool) {
        state.withLock { $0.refusedKey = HostKey(bytes: key, isChanged: isChanged) }
    }
}
