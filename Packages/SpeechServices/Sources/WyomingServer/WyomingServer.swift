// SPDX-License-Identifier: MIT

public import Concurrency
public import Diagnostics
import SpeechServices

/// Serves engines by the Wyoming protocol, so that Home Assistant and other clients hear and speak by them.
///
/// The protocol has neither TLS nor keys: whoever reaches the socket can use the engines. Listen on this machine alone,
/// or on a network that is yours.
public struct WyomingServer: Sendable {
    let engines: WyomingEngines
    let configuration: WyomingServerConfiguration
    let logger: Logger
    let recognitions: EngineSlots
    let syntheses: EngineSlots
    let wakeStreams: EngineSlots

    /// A server that has not started yet.
    ///
    /// - Parameter logger: Receives failures; never a text or sound.
    public init(_ engines: WyomingEngines, configuration: WyomingServerConfiguration, logger: Logger = .disabled) {
        self.engines = engines
        self.configuration = configuration
        self.logger = logger.with(category: "wyoming-server")
        recognitions = EngineSlots(configuration.limits.recognitions)
        syntheses = EngineSlots(configuration.limits.syntheses)
        wakeStreams = EngineSlots(configuration.limits.wakeStreams)
    }

    /// Serves until the task is cancelled; connections are then closed, and the socket too.
    ///
    /// Each client is served in a task of its own. A client that takes nothing, sends nothing or sends anything but
    /// frames is disconnected; others do not notice it.
    ///
    /// - Throws: `CancellationError`; `SocketError` if the system has no thread left.
    public func run(on socket: ListeningSocket) async throws {
        var server = SocketServer(socket)
        server.maximumConnections = configuration.limits.clients
        server.refusal = (try? WyomingRefusal(.busy, "Too many clients. Try again later.").frame.bytes()) ?? []
        try await server.run { await serve($0) }
    }

    private func serve(_ stream: SocketStream) async {
        let outbox = WyomingOutbox(configuration.limits)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { [configuration] in
                    try await outbox.write(configuration.clock) { try await stream.write($0) }
                }
                group.addTask { [self] in
                    defer { outbox.finish() }
                    try await WyomingConversation(self, outbox).run { try await stream.read() }
                }
                while try await group.next() != nil {}
            }
        } catch {
            logger.debug("a connection has ended: \("\(error)", privacy: .public)")
        }
    }
}
