// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import FoundationEssentials
import HTTPServer
import LocalPage
import Networking

#if DEBUG
    /// The switches and the network log of the developer's page: a socket at which this person's other programs ask for the switches, and tell
    /// of their requests. The switches end with the page.
    final class DeveloperDesk: Sendable {
        private struct State {
            var switches = DeveloperSwitches()
            /// The newest requests, the oldest first.
            var requests: [DeveloperRequest] = []
        }

        private static let limit = 500
        private static let lineLimit = 16 << 10
        private let socket: ListeningSocket
        private let hub: EventHub
        private let state = Guarded(State())

        /// - Throws: `SocketError` if another program has the socket.
        init(at path: String, hub: EventHub) throws(SocketError) {
            socket = try ListeningSocket(.path(path))
            self.hub = hub
        }

        /// Serves the programs until the task is cancelled.
        func run() async throws {
            try await SocketServer(socket).run { [self] stream in
                for await line in stream.lines(limit: Self.lineLimit) {
                    guard let message = try? JSONDecoder().decode(DeveloperMessage.self, from: Data(line)) else {
                        return
                    }
                    if let request = message.request {
                        add(request)
                        hub.send(#"{"event":"changed","what":"network"}"#, isPassing: true)
                    } else if let reply = try? JSONEncoder().encode(state.withLock({ $0.switches })) {
                        do { try await stream.write(Array(reply) + [UInt8(ascii: "\n")]) } catch { return }
                    }
                }
            }
        }

        /// Notes each request to the page and its answer: routes and not addresses, so that nothing of what people say is in it.
        var middleware: HTTPMiddleware {
            { [self] handler in
                { request in
                    let (start, time) = (ContinuousClock.now, Date())
                    let response = try await handler(request)
                    var bytes: Int?
                    if case .bytes(let content) = response.body { bytes = content.count }
                    self.add(
                        DeveloperRequest(
                            time: time.formatted(.iso8601), program: "dashboard", method: request.method.rawValue,
                            url: request.route ?? "?", status: response.status,
                            milliseconds: (ContinuousClock.now - start).milliseconds,
                            requestBytes: request.headers["Content-Length"].flatMap(Int.init) ?? 0,
                            responseBytes: bytes))
                    return response
                }
            }
        }

        /// Adds what the developer's view asks for.
        func addRoutes(to router: inout Router) {
            struct Shown: Encodable {
                let network: DeveloperSwitches.Network
                let flags: [String: String]
                let requests: [DeveloperRequest]
            }
            router.get("/api/developer") { [self] _ in
                let (switches, requests) = state.withLock { ($0.switches, $0.requests) }
                return try .json(Shown(network: switches.network, flags: switches.flags, requests: requests))
            }
            router.post("/api/developer/network") { [self] request in
                struct Asked: Decodable { let network: DeveloperSwitches.Network }
                let network = try await request.body.json(Asked.self).network
                state.withLock { $0.switches.network = network }
                return .noContent
            }
            router.post("/api/developer/flags") { [self] request in
                struct Asked: Decodable {
                    let name: String
                    /// nil to unset it.
                    let value: String?
                }
                let asked = try await request.body.json(Asked.self)
                guard let flag = Flags.all.first(where: { $0.name == asked.name }) else { throw ServerProblem.notFound }
                if let value = asked.value, FlagValue(value, as: flag.fallback) == nil {
                    let (name, example) = (flag.name, flag.fallback.description)
                    throw PageRefusal("\(name) takes a value such as \(example).", status: 400)
                }
                state.withLock { $0.switches.flags[flag.name] = asked.value }
                return .noContent
            }
        }

        private func add(_ request: DeveloperRequest) {
            state.withLock { state in
                if state.requests.count == Self.limit { state.requests.removeFirst() }
                state.requests.append(request)
            }
        }
    }

    extension AppPaths {
        /// The socket of the developer's page; it exists while that page runs.
        var developerDesk: String { data + "/developer.sock" }
    }
#endif
