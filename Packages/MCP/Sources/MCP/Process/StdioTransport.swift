// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Networking

/// Messages to a child process, a line each (newline-delimited JSON over its standard streams).
final class StdioTransport: MCPTransport {
    private let command: MCPCommand
    private let name: String
    private let maximumMessageBytes: Int
    private let grace: Duration
    private let process = Guarded<ServerProcess?>(nil)
    private let tasks = OwnedTasks()

    var endsExchanges: Bool { false }

    init(_ command: MCPCommand, name: String, maximumMessageBytes: Int, grace: Duration) {
        self.command = command
        self.name = name
        self.maximumMessageBytes = maximumMessageBytes
        self.grace = grace
    }

    func open(_ receive: @escaping @Sendable (MCPTransportEvent) async -> Void) async throws {
        let started = try await ServerProcess.start(command, grace: grace)
        process.withLock { $0 = started }
        tasks.add { [self] in await readAll(started, receive) }
    }

    private func readAll(_ process: ServerProcess, _ receive: @Sendable (MCPTransportEvent) async -> Void) async {
        var framer = LineFramer(maximumLineBytes: maximumMessageBytes)
        while let bytes = await process.read() {
            for element in framer.append(bytes) { await Self.hand(element, to: receive) }
        }
        for element in framer.finish() { await Self.hand(element, to: receive) }
        // A program that closes its output can answer nothing more.
        process.shutDown()
        guard let end = try? await process.end.value() else { return }
        await receive(.ended(error(end, of: process)))
    }

    private static func hand(
        _ element: LineFramer.Element, to receive: @Sendable (MCPTransportEvent) async -> Void
    ) async {
        switch element {
        case .oversized: await receive(.oversized)
        case .line(let line):
            for reading in JSONRPCMessage.read(line) { await receive(.reading(reading)) }
        }
    }

    private func error(_ end: ServerProcess.End, of process: ServerProcess) -> MCPError {
        let how =
            switch end {
            case .exited(let status): "ended with status \(status)"
            case .killed(let signal): "was ended by signal \(signal)"
            }
        return MCPError(.serverEnded, "The server \(name) \(how).", errorLog: process.errorLog)
    }

    func send(_ message: JSONRPCMessage, headers: HTTPHeaders) async throws {
        guard let process = process.withLock({ $0 }) else { throw ServerProcess.inputClosed }
        do {
            try await process.write(message.bytes + [UInt8(ascii: "\n")])
        } catch let failure as MCPError {
            process.shutDown()
            guard failure.code == .serverEnded else { throw failure }
            throw error(try await process.end.value(), of: process)
        }
    }

    func agreed(on version: MCPProtocolVersion) {}

    func listen() {}

    func close() async {
        guard let process = process.withLock({ $0 }) else { return }
        process.shutDown()
        // Not to be cut short by the caller's cancellation: a child must not be left behind.
        await Task { _ = try? await process.end.value() }.value
        await tasks.close()
    }

    func abandon() {
        process.withLock { $0 }?.shutDown()
        tasks.cancel()
    }

    /// The newest bytes of the program's standard error.
    var errorLog: String { process.withLock { $0 }?.errorLog ?? "" }

    /// The program's process id while it runs.
    var childPID: Int32? { process.withLock { $0 }?.pid }
}
