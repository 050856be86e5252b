// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import Diagnostics
import Domain
import FoundationEssentials
import WyomingServer

/// `parley serve wyoming`: the engines of this machine for Home Assistant and other clients of the Wyoming protocol.
struct ServeWyomingCommand: Command {
    private static let uri = ValueOption<String>(
        "uri", placeholder: "URI",
        help: "Where to listen: tcp://ADDRESS:PORT or unix:///PATH; tcp://127.0.0.1:10700 by default")
    static let specification = CommandSpecification(
        path: ["serve", "wyoming"],
        summary: "Offer Parley's ears and voices to Home Assistant and other Wyoming clients",
        discussion: """
            Clients get the wake word "hey jarvis", the recognition of questions that Parley knows (in English), flite's
            English voices and eSpeak NG's of other languages. Several can ask at once; Ctrl-C ends it. Wyoming has neither
            passwords nor encryption: on another address than this machine's own, everybody who reaches the port can use the
            engines, and whoever is on the way can listen. Port 0 takes a free one. In JSON: listening, with its uri.
            """,
        options: [uri])

    private let address: ListeningSocket.Address

    init(_ invocation: Invocation) throws(UsageError) {
        let text = invocation[Self.uri] ?? "tcp://127.0.0.1:10700"
        guard let address = Self.address(text) else {
            throw UsageError(
                "\(text) is no place to listen at. Write it as tcp://127.0.0.1:10700 or unix:///run/user/1000/wyoming.sock.",
                command: invocation.command)
        }
        self.address = address
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        // Otherwise each of the recogniser's threads keeps the memory that it once needed.
        AllocatedMemory.shareOneArena()
        // Before the models are loaded: a port in use is told at once.
        let socket = try ListeningSocket(address)
        let server: WyomingServer
        do {
            server = try await app.wyomingServer()
            let uri = Self.uri(of: socket.address)
            if !Self.isOnThisMachine(socket.address) {
                console.warn(
                    "Everybody who reaches \(uri) can use these engines, and nothing is encrypted. Keep it in a network that "
                        + "is yours.")
            }
            console.progress("Listening on \(uri). Ctrl-C ends it.")
            try console.emit(["event": "listening", "uri": uri])
        } catch {
            socket.close()
            throw error
        }
        // Ctrl-C, and the service manager, are the regular end. It closes the socket.
        do { try await server.run(on: socket) } catch is CancellationError {}
        return .done
    }

    /// The address of a URI; nil for any other text.
    static func address(_ text: String) -> ListeningSocket.Address? {
        guard let url = URL(string: text), url.user() == nil, url.query() == nil, url.fragment() == nil else {
            return nil
        }
        let path = url.path(percentEncoded: false)
        switch url.scheme?.lowercased() {
        case "tcp":
            guard let port = url.port, (0...65_535).contains(port), path.isEmpty || path == "/",
                let host = url.host(percentEncoded: false), !host.isEmpty
            else { return nil }
            let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            return .tcp(host: bare.lowercased() == "localhost" ? "127.0.0.1" : bare, port: port)
        case "unix":
            guard url.host()?.isEmpty != false, url.port == nil, path.hasPrefix("/"), !path.hasSuffix("/") else {
                return nil
            }
            return .path(path)
        default: return nil
        }
    }

    private static func uri(of address: ListeningSocket.Address) -> String {
        if case .path = address { "unix://\(address)" } else { "tcp://\(address)" }
    }

    private static func isOnThisMachine(_ address: ListeningSocket.Address) -> Bool {
        guard case .tcp(let host, _) = address else { return true }
        return host == "::1" || host.hasPrefix("127.")
    }
}
