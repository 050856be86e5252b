// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import DurableFiles
import FoundationEssentials
import Glibc

/// The socket at which the program that serves the page gives out links to it, to this person's programs alone.
struct PageDoor: Sendable {
    private let socket: ListeningSocket

    /// - Throws: `SocketError` if another program has it.
    init(at path: String) throws(SocketError) { socket = try ListeningSocket(.path(path)) }

    /// A new link of the program that serves the page; nil if there is none.
    static func address(at path: String) throws -> String? {
        guard !AppPaths.isMissing(path), let descriptor = try OwnSocket.connect(to: path) else { return nil }
        defer { close(descriptor) }
        return OwnSocket.line(from: descriptor, limit: 4_096).map { String(decoding: $0, as: UTF8.self) }
    }

    /// True if a program serves the page.
    static func isOpen(at path: String) -> Bool {
        guard !AppPaths.isMissing(path), let descriptor = try? OwnSocket.connect(to: path) else { return false }
        close(descriptor)
        return true
    }

    /// Gives each program that connects a link, until the task is cancelled.
    func run(_ link: @escaping @Sendable () throws -> String) async throws {
        try await SocketServer(socket).run { stream in
            guard let link = try? link() else { return }
            try? await stream.write(Array((link + "\n").utf8))
        }
    }
}

/// Opens an address in the person's browser.
enum BrowserLink {
    /// The address is not in the arguments of a program, which all users of the machine can read, but in a file of this person's own,
    /// which leads the browser to it.
    ///
    /// - Throws: `ChildStartFailure` without `xdg-open`; the errors of writing the file.
    static func open(_ address: String, file: String) throws {
        let page = """
            <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Parley</title>
            <meta http-equiv="refresh" content="0; url=\(address)"><p><a href="\(address)">Parley</a></p></html>

            """
        try DurableFile.replace(file, with: Array(page.utf8), isDurable: false)
        let child = try ChildProgram("xdg-open", [file]).start()
        _ = DetachedThread.start { _ = child.wait() }
    }
}

extension AppPaths {
    /// The socket of the program that serves the page.
    var pageDoor: String { data + "/page.sock" }
    /// The file that leads the browser to the page.
    var pageLink: String { data + "/open-page.html" }
}
