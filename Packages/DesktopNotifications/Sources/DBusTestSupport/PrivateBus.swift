// SPDX-License-Identifier: MIT

import Synchronization
public import TestKit

/// A bus of a test's own, with programs on it. All of them end with it.
public final class PrivateBus: Sendable {
    private let bus: ChildProcess
    private let folder: TemporaryFolder
    private let peers = Mutex<[ChildProcess]>([])
    /// The bus's address.
    public let address: String

    private struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts a bus without programs.
    public init() throws {
        folder = try TemporaryFolder()
        // A bus that is killed leaves its socket; here it goes with the folder.
        bus = try ChildProcess(
            "dbus-daemon",
            ["--session", "--nofork", "--print-address=1", "--address=unix:path=\(folder.file("bus"))"])
        address = bus.line() ?? ""
    }

    /// The variables of a program that takes it for both of its buses.
    public var variables: [String: String] {
        ["DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"]
    }

    /// Starts a template of python-dbusmock, and waits until it has its name.
    ///
    /// - Parameter parameters: The template's parameters as JSON.
    public func mock(_ template: String, name: String, parameters: String = "{}") throws {
        let peer = try ChildProcess(
            "/usr/bin/python3", ["-m", "dbusmock", "--template", template, "--parameters", parameters],
            environment: .only(variables), output: .inherited)
        peers.withLock { $0.append(peer) }
        try run(["wait", "--session", "--timeout", "240", name])
    }

    /// Starts a program in Python that writes "ready" once it has its name.
    ///
    /// - Parameter script: The program; `words` are its arguments.
    /// - Returns: The program, to write and read further lines.
    @discardableResult
    public func peer(_ script: String, _ words: [String] = []) throws -> ChildProcess {
        let peer = try ChildProcess(
            "/usr/bin/python3", ["-c", script] + words, environment: .only(variables), input: .pipe)
        guard peer.line() == "ready" else { throw Failed(description: "the program is not ready") }
        peers.withLock { $0.append(peer) }
        return peer
    }

    /// Calls a method by GLib's own tool.
    ///
    /// - Parameter arguments: The arguments in GVariant's text format.
    public func call(_ method: String, of name: String, path: String, _ arguments: [String] = []) throws {
        try run(["call", "--session", "--dest", name, "--object-path", path, "--method", method] + arguments)
    }

    /// Ends a program's connection: the bus itself goes away.
    public func stop() { bus.kill() }

    private func run(_ words: [String]) throws {
        let done = try ChildProcess("gdbus", words, environment: .only(variables), errors: .captured).finish()
        guard done.code == 0 else { throw Failed(description: done.errors) }
    }
}
