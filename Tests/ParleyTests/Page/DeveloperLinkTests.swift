// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import FoundationEssentials
import Networking
import Sync
import SyncWire
import TestKit
import Testing

@testable import parley

@Suite("The developer's page and other programs", .timeLimit(.minutes(5))) struct DeveloperLinkTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Listens at the page's socket: keeps each line that it is told, and answers with the switches.
    private func telling(
        _ switches: DeveloperSwitches, _ body: (DeveloperLink) async throws -> Void
    ) async throws -> [DeveloperRequest] {
        let path = folder.file("developer.sock")
        let told = Guarded<[DeveloperRequest]>([])
        let server = SocketServer(try ListeningSocket(.path(path)))
        let run = Task {
            try? await server.run { stream in
                for await line in stream.lines(limit: 16_384) {
                    if let request = (try? JSONDecoder().decode(DeveloperMessage.self, from: Data(line)))?.request {
                        told.withLock { $0.append(request) }
                    } else if let reply = try? JSONEncoder().encode(switches) {
                        try? await stream.write(Array(reply) + [UInt8(ascii: "\n")])
                    }
                }
            }
        }
        var link = DeveloperLink(path, program: "listen")
        // The page's half is in this process, and other tests may compute on its threads.
        link.patience = 240
        try await body(link)
        try await eventually("the request is told") { !told.withLock { $0.isEmpty } }
        run.cancel()
        await run.value
        return told.withLock { $0 }
    }

    private func send(_ switches: DeveloperSwitches) async throws -> (Result<Int, any Error>, DeveloperRequest?) {
        var result: Result<Int, any Error> = .success(0)
        let told = try await telling(switches) { link in
            let request = HTTPRequest(
                .get, try #require(URL(string: "https://example.org:8443/v1/notes/3f2a?text=hello&key=k1")))
            do {
                let response = try await DeveloperTransport(Server(), link: link).send(request)
                _ = try await response.body.collect()
                result = .success(response.status)
            } catch { result = .failure(error) }
        }
        return (result, told.first)
    }

    @Test func `a request is told without what people say, and without secrets`() async throws {
        let (result, told) = try await send(DeveloperSwitches())
        #expect(try result.get() == 200)
        #expect(told?.url == "https://example.org:8443/v1/notes/{}" && told?.program == "listen")
        #expect(told?.status == 200 && told?.responseBytes == 2)
    }

    @Test func `a failing network answers with an error of the server`() async throws {
        let (result, told) = try await send(DeveloperSwitches(network: .failing))
        #expect(try result.get() == 503 && told?.status == 503)
    }

    @Test func `a network that is switched off reaches nothing`() async throws {
        let (result, told) = try await send(DeveloperSwitches(network: .offline))
        let error = #expect(throws: NetworkError.self) { try result.get() }
        #expect(error?.code == .connect && told != nil && told?.status == nil)
    }

    @Test func `a place of sync by another library is told of, and switched off`() async throws {
        let name = SyncObjectName.membership(hash: Array(repeating: 1, count: SyncObjectName.hashByteCount))
        for (network, count) in [(DeveloperSwitches.Network.normal, 3), (.offline, nil)] {
            let told = try await telling(DeveloperSwitches(network: network)) { link in
                let place = DeveloperPlace(Place(), at: "sftp://ada@nas.example:2222//srv/3f2a9", link: link)
                if count == nil {
                    let error = await #expect(throws: SyncError.self) { try await place.read(name) }
                    #expect(error?.code == .unreachable)
                } else {
                    let bytes = try await place.read(name)
                    #expect(bytes == [1, 2, 3])
                }
            }
            #expect(told.first?.url == "sftp://nas.example:2222//srv/{}" && told.first?.method == "READ")
            #expect(told.first?.responseBytes == count)
        }
    }

    @Test func `without the page nothing is different`() async throws {
        let link = DeveloperLink(folder.file("missing.sock"), program: "ask")
        let request = HTTPRequest(.get, try #require(URL(string: "https://example.org/")))
        #expect(await link.switches() == nil)
        #expect(try await DeveloperTransport(Server(), link: link).send(request).status == 200)
    }

    @Test func `values of flags have the type of the flag`() {
        let switches = DeveloperSwitches(flags: [
            "evaluationTimeLimit": "5", "remoteEvaluation": "perhaps", "wantedRetention": "0.8", "unknown": "1",
        ])
        #expect(switches.flagValues == ["evaluationTimeLimit": .integer(5), "wantedRetention": .number(0.8)])
    }

    @Test(arguments: [
        ("https://ada:pw@api.example/v1/responses?key=k1", "https://api.example/v1/responses"),
        ("https://api.example/mcp/0a1b2c3d4e", "https://api.example/mcp/{}"),
        ("https://api.example/a/what%20she%20said", "https://api.example/a/{}"),
        ("https://api.example/abcdefghijklmnopqrstuvwxyz#t=1", "https://api.example/{}"), ("no address", "?"),
    ])
    func `of an address only plain words are kept`(address: String, route: String) {
        #expect(DeveloperRequest.route(address) == route)
    }
}

/// Answers each request with 200.
private struct Place: SyncTransport {
    func list(after cursor: SyncCursor?) async throws -> SyncListing {
        SyncListing(objects: [], cursor: nil, isWhole: true, hasMore: false)
    }

    func read(_ name: SyncObjectName) async throws -> [UInt8] { [1, 2, 3] }
    func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {}
    func remove(_ name: SyncObjectName) async throws {}
    func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

private struct Server: HTTPTransport, ByteStreamConnector {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(status: 200, url: request.url, body: HTTPResponseBody(Array("ok".utf8)))
    }

    func connect(to url: URL) async throws -> any ByteStream {
        throw NetworkError(code: .connect, message: "There is no server.")
    }
}
