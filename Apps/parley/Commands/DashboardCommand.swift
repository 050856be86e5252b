// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import Diagnostics
import Domain
import DurableFiles
import FoundationEssentials
import Glibc
import HTTPServer
import LocalPage
import TerminalKit

/// `parley dashboard`: the page in the browser of this machine.
struct DashboardCommand: Command {
    private static let port = ValueOption<Int>(
        "port", placeholder: "NUMBER", help: "Serve at this port; by default one that is free", in: 0...65_535)
    private static let noOpen = Flag("no-open", help: "Only show the address")
    private static let developer = Flag(
        "developer", help: "Show logs, flags and caches, too (development builds)")
    static let specification = CommandSpecification(
        path: ["dashboard"],
        summary: "Open the page in the browser: now, chat, practice, dashboard, settings",
        discussion: """
            The page is served on this machine alone, until Ctrl-C, and to whom the link is given: it is valid once, for a minute.
            Run it again for another link. It shows what parley listen does, also as a service, and runs the same commands as
            a terminal does. Events in JSON: page (address).
            """,
        options: [port, noOpen, developer])

    private let port: Int
    private let opens: Bool
    private let isDeveloper: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        port = invocation[Self.port] ?? 0
        opens = !invocation.has(Self.noOpen)
        isDeveloper = invocation.has(Self.developer)
        #if !DEBUG
            if isDeveloper { throw invocation.error("--developer is for development builds of parley.") }
        #endif
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try app.paths.makeDataFolder()
        if let address = try PageDoor.address(at: app.paths.pageDoor) {
            try show(address, app, console)
            return .done
        }
        let door: PageDoor
        do { door = try PageDoor(at: app.paths.pageDoor) } catch {
            throw DomainError.file(
                "\(Sentence(verbatim: error.message)) Another parley dashboard may be starting: try again.")
        }
        let keys = PageKeys()
        let hub = EventHub()
        let feed = try LiveFeed(hub, paths: app.paths)
        let runs = try PageRuns(program: try Self.program(), hub: hub)
        var routes = PageRoutes(app: app, keys: keys, hub: hub, feed: feed, runs: runs, isDeveloper: isDeveloper)
        #if DEBUG
            if isDeveloper { routes.desk = try DeveloperDesk(at: app.paths.developerDesk, hub: hub) }
        #endif
        let bound = Guarded(0)
        var configuration = HTTPServerConfiguration()
        configuration.port = port
        let server = HTTPServer(
            configuration: configuration, logger: app.logger.with(category: "page"),
            handler: routes.router(port: { bound.withLock { $0 } }).handler)
        let address: SocketAddress
        do { address = try await server.start() } catch let error as HTTPServerError {
            throw DomainError.invalidInput(
                error.code == .addressInUse
                    ? "Another program has the port \(port). End it, or choose another --port."
                    : Sentence(verbatim: error.message))
        }
        bound.withLock { $0 = address.port }
        let link: @Sendable () throws -> String = { "http://127.0.0.1:\(address.port)/#t=\(try keys.makeToken())" }
        try show(try link(), app, console)
        console.progress("The page is served until Ctrl-C.", .muted)
        let end: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup { group in
                group.addTask { try await feed.run() }
                group.addTask { try await runs.endForgotten() }
                group.addTask { try await door.run(link) }
                #if DEBUG
                    if let desk = routes.desk { group.addTask { try await desk.run() } }
                #endif
                // Each of them goes on until the command is cancelled.
                for try await _ in group {}
            }
            end = .success(())
        } catch { end = .failure(error) }
        hub.close()
        // Not cancelled: the commands have their time to clean up.
        await Task { await runs.close() }.value
        await server.stop(grace: .milliseconds(200))
        unlink(app.paths.pageLink)
        if case .failure(let error) = end, !(error is CancellationError) { throw error }
        return .done
    }

    private func show(_ address: String, _ app: CompositionRoot, _ console: Console) throws {
        struct Shown: Encodable {
            let event = "page"
            let address: String
            private enum CodingKeys: String, CodingKey { case event, address }
        }
        try console.show(address)
        try console.emit(Shown(address: address))
        guard opens else { return }
        do { try BrowserLink.open(address, file: app.paths.pageLink) } catch {
            console.warn("The browser could not be opened: \(Sentence(verbatim: "\(error)")). Open the address above.")
        }
    }

    private static func program() throws -> String {
        do { return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } catch {
            throw DomainError.file("The program's own file cannot be found. Run parley from a file system.")
        }
    }
}
