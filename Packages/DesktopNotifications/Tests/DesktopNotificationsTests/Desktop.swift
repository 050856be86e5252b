// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// A real session bus, and on it python-dbusmock's notification daemon, which writes down what it is told.
final class Desktop: Sendable {
    private let bus: ChildProcess
    private let daemon: ChildProcess?
    private let folder: TemporaryFolder
    let address: String

    init(hasDaemon: Bool = true, in folder: TemporaryFolder? = nil) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        // A bus that is killed leaves its socket; here it goes with the folder.
        bus = try ChildProcess(
            "dbus-daemon",
            ["--session", "--nofork", "--print-address=1", "--address=unix:path=\(folder.file("bus"))"])
        address = bus.line() ?? ""
        guard hasDaemon else {
            daemon = nil
            return
        }
        let variables = ["DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"]
        daemon = try ChildProcess(
            "/usr/bin/python3",
            ["-m", "dbusmock", "--template", "notification_daemon", "-l", folder.file("calls")],
            environment: .only(variables), output: .inherited)
        try ChildProcess(
            "gdbus", ["wait", "--session", "--timeout", "60", "org.freedesktop.Notifications"],
            environment: .only(variables)
        ).wait()
    }

    /// Emits a signal of notifications, from the daemon or from another program.
    func emit(_ signal: String, _ types: String, _ values: String..., byDaemon: Bool = true) throws {
        let (path, name) = ("/org/freedesktop/Notifications", "org.freedesktop.Notifications")
        let words =
            byDaemon
            ? [
                "call", "--session", "--dest", name, "--object-path", path, "--method",
                "org.freedesktop.DBus.Mock.EmitSignal", name, signal, types,
                "[\(values.map { "<\($0)>" }.joined(separator: ", "))]",
            ] : ["emit", "--session", "--object-path", path, "--signal", "\(name).\(signal)"] + values
        let status = try ChildProcess(
            "gdbus", words, environment: .only(["DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"])
        ).wait()
        guard status == .exited(0) else { throw EmissionFailed() }
    }

    private struct EmissionFailed: Error {}

    /// The daemon's own account of the calls that it got.
    var calls: String { (try? String(contentsOfFile: folder.file("calls"), encoding: .utf8)) ?? "" }
}
