// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import Testing

/// The network goes when it is told to, and comes back.
@Suite(.timeLimit(.minutes(5))) struct NetworkCutTests {
    private let server: FaultProxy
    private let network: NetworkCut

    init() throws {
        server = try FaultProxy(upstream: .response(FaultTests.response), fault: nil)
        network = try NetworkCut(before: server.port)
    }

    /// How many bytes a request's answer has. Each goes over a connection of its own: over one that was used before, libcurl
    /// asks again by itself.
    private func ask(_ path: String) async throws -> Int {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://127.0.0.1:\(network.port)\(path)"))
        return try await transport.send(HTTPRequest(.get, url)).body.collect(upTo: 2_000).count
    }

    @Test(
        arguments: [NetworkCut.Moment.beforeRequest, .inRequest(10), .beforeAnswer, .inAnswer(20), .inAnswer(500)],
        [true, false])
    func itGoesAtTheChosenRequest(_ moment: NetworkCut.Moment, isLasting: Bool) async throws {
        network.arm(.init("GET", "/chosen", moment, isLasting: isLasting))
        #expect(try await ask("/other") == 1_000)
        #expect(network.cutCount == 0)
        await expectError(.connectionLost) { _ = try await ask("/chosen/one") }
        #expect(network.cutCount == 1)
        if isLasting { await #expect(throws: NetworkError.self) { try await ask("/other") } }
        network.restore()
        #expect(try await ask("/chosen/one") == 1_000)
        #expect(network.cutCount == 1)
        server.close()
    }

    @Test(arguments: 1...2)
    func itGoesBehindATextOfTheAnswer(_ count: Int) async throws {
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\none two one ".utf8)
        let words = try FaultProxy(upstream: .response(answer), fault: nil)
        let network = try NetworkCut(before: words.port)
        network.arm(.init("GET", "/", .inAnswerBehind("one", count: count)))
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        let url = try #require(URL(string: "http://127.0.0.1:\(network.port)/"))
        var read: [UInt8] = []
        await expectError(.connectionLost) {
            for try await piece in try await CurlTransport(configuration: configuration).send(HTTPRequest(.get, url))
                .body
            {
                read += piece
            }
        }
        #expect(String(decoding: read, as: UTF8.self) == ["one", "one two one"][count - 1])
        #expect(network.cutCount == 1)
        words.close()
    }

    @Test func itGoesAtOnce() async throws {
        #expect(try await ask("/") == 1_000)
        network.cut()
        await #expect(throws: NetworkError.self) { try await ask("/") }
        network.restore()
        #expect(try await ask("/") == 1_000)
        server.close()
    }
}
