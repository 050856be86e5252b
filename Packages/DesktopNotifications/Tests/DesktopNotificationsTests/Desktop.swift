// SPDX-License-Identifier: MIT

import Foundation

/// A real session bus, and on it python-dbusmock's notification daemon, which writes down what it is told.
// SAFETY: nothing changes after init, and Process may be asked to end from any thread.
final class Desktop: @unchecked Sendable {
    private let bus = Process()
    private let daemon: Process?
    private let log: URL
    let address: String

    init(hasDaemon: Bool = true) throws {
        log = FileManager.default.temporaryDirectory.appending(path: "parley-desktop-\(UUID()).log")
        let output = Pipe()
        bus.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
        bus.arguments = ["--session", "--nofork", "--print-address=1"]
        bus.standardOutput = output
        try bus.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
        address = String(decoding: line, as: UTF8.self)
        guard hasDaemon else {
            daemon = nil
            return
        }
        let mock = Process()
        mock.executableURL = URL(filePath: "/usr/bin/python3")
        mock.arguments = ["-m", "dbusmock", "--template", "notification_daemon", "-l", log.path()]
        mock.environment = ["DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"]
        try mock.run()
        daemon = mock
        let wait = Process()
        wait.executableURL = URL(filePath: "/usr/bin/gdbus")
        wait.arguments = ["wait", "--session", "--timeout", "60", "org.freedesktop.Notifications"]
        wait.environment = ["DBUS_SESSION_BUS_ADDRESS": address]
        try wait.run()
        wait.waitUntilExit()
    }

    /// The daemon's own account of the calls that it got.
    var calls: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    deinit {
        // The threads of a test block the milder signals, and children inherit that.
        for process in [daemon, bus].compactMap({ $0 }) {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: log)
    }
}
