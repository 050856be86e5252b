// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// A real session bus, and on it python-dbusmock's notification daemon, which writes down what it is told.
final class Desktop: Sendable {
    private let bus: ChildProcess
    private let daemon: ChildProcess?
    private let folder: TemporaryFolder
    let address: String

    init(hasDaemon: Bool = true) throws {
        folder = try TemporaryFolder()
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

    /// The daemon's own account of the calls that it got.
    var calls: String { (try? String(contentsOfFile: folder.file("calls"), encoding: .utf8)) ?? "" }
}
