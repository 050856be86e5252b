// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import TestKit
import Testing

/// Every way in which a connection breaks ends in its typed error within its time-out.
struct FaultTests {
    static let response =
        Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8) + [UInt8](repeating: 65, count: 1000)
    static let chunked = Array(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nworld\r\n0\r\nX-Trailer: t\r\n\r\n"
            .utf8)

    struct Case: Sendable, CustomTestStringConvertible {
        let fault: Fault?
        var response = FaultTests.response
        let code: NetworkError.Code?
        var testDescription: String { "\(fault.map { "\($0.action) \($0.place)" } ?? "whole") \(response.count)" }
    }

    static let limit = Duration.milliseconds(150)

    static var cases: [Case] {
        let lost = NetworkError.Code.connectionLost
        let bad = NetworkError.Code.invalidResponse
        let noise = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 3) }
        return [
            Case(fault: nil, code: nil),
            Case(fault: nil, response: chunked, code: nil),
            Case(fault: Fault(.reset, .beforeResponse), code: lost),
            Case(fault: Fault(.reset, .inHeader), code: lost),
            Case(fault: Fault(.reset, .afterHeader), code: lost),
            Case(fault: Fault(.reset, .inBody(500)), code: lost),
            Case(fault: Fault(.reset, .afterBody), code: nil),
            Case(fault: Fault(.close, .beforeResponse), code: lost),
            Case(fault: Fault(.close, .inHeader), code: lost),
            Case(fault: Fault(.close, .afterHeader), code: lost),
            Case(fault: Fault(.close, .inBody(500)), code: lost),
            Case(fault: Fault(.close, .afterBody), code: nil),
            Case(fault: Fault(.stall, .beforeResponse), code: .firstByteTimeout),
            Case(fault: Fault(.stall, .inHeader), code: .firstByteTimeout),
            Case(fault: Fault(.stall, .afterHeader), code: .idleTimeout),
            Case(fault: Fault(.stall, .inBody(500)), code: .idleTimeout),
            Case(fault: Fault(.stall, .afterBody), code: nil),
            Case(fault: Fault(.garbage(noise), .beforeResponse), code: bad),
            Case(fault: Fault(.garbage(noise), .inHeader), code: bad),
            Case(fault: Fault(.garbage(noise), .inBody(100)), code: lost),
            Case(fault: Fault(.close, .inBody(7)), response: chunked, code: lost),
            Case(fault: Fault(.close, .inBody(12)), response: chunked, code: lost),
            Case(fault: Fault(.garbage(Array("zz\r\n".utf8)), .inBody(10)), response: chunked, code: lost),
            Case(fault: Fault(.slow(bytes: 100, milliseconds: 5), .beforeResponse), code: nil),
            Case(fault: Fault(.slow(bytes: 1, milliseconds: 40), .afterHeader), code: .timeout),
        ]
    }

    @Test(.timeLimit(.minutes(5)), arguments: cases) func endsInItsError(_ item: Case) async throws {
        let proxy = try FaultProxy(upstream: .response(item.response), fault: item.fault)
        defer { proxy.close() }
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        // Only the time-out that is expected is short: a busy machine may be slow in everything else.
        configuration.timeouts = HTTPTimeouts(
            connect: .seconds(50), firstByte: item.code == .firstByteTimeout ? Self.limit : .seconds(50),
            idle: item.code == .idleTimeout ? Self.limit : .seconds(50),
            whole: item.code == .timeout ? .milliseconds(400) : nil)
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        if let code = item.code {
            await expectError(code) { _ = try await transport.send(HTTPRequest(.get, url)).body.collect() }
        } else {
            let response = try await transport.send(HTTPRequest(.get, url))
            let count = try await response.body.collect().count
            #expect(count == (item.response == Self.chunked ? 10 : 1000))
            if item.response == Self.chunked { #expect(response.body.summary.trailers["x-trailer"] == "t") }
        }
    }

    @Test func aStalledHandshakeIsAConnectTimeout() async throws {
        let server = try NginxServer.shared.get()
        for place in [Fault.Place.beforeResponse, .afterBytes(100)] {
            let proxy = try FaultProxy(upstream: .port(UInt16(server.securePort)), fault: Fault(.stall, place))
            defer { proxy.close() }
            var configuration = server.configuration
            configuration.timeouts.connect = .milliseconds(120)
            let transport = try CurlTransport(configuration: configuration)
            let url = try #require(URL(string: "https://127.0.0.1:\(proxy.port)/hello"))
            let started = ContinuousClock.now
            await expectError(.connectTimeout) { _ = try await transport.send(HTTPRequest(.get, url)) }
            #expect(ContinuousClock.now - started >= .milliseconds(120))
        }
    }

    @Test func brokenHandshakesAreLostConnections() async throws {
        let server = try NginxServer.shared.get()
        for fault in [Fault(.reset, .beforeResponse), Fault(.close, .beforeResponse), Fault(.reset, .afterBytes(100))] {
            let proxy = try FaultProxy(upstream: .port(UInt16(server.securePort)), fault: fault)
            defer { proxy.close() }
            let transport = try CurlTransport(configuration: server.configuration)
            let url = try #require(URL(string: "https://127.0.0.1:\(proxy.port)/hello"))
            await expectError(.connectionLost) { _ = try await transport.send(HTTPRequest(.get, url)) }
        }
        let proxy = try FaultProxy(
            upstream: .port(UInt16(server.securePort)),
            fault: Fault(.garbage(Array("HTTP/1.1 400 Bad\r\n\r\n".utf8)), .beforeResponse))
        defer { proxy.close() }
        let transport = try CurlTransport(configuration: server.configuration)
        let url = try #require(URL(string: "https://127.0.0.1:\(proxy.port)/hello"))
        await expectError(.secure) { _ = try await transport.send(HTTPRequest(.get, url)) }
    }

    @Test func nobodyListening() async throws {
        var configuration = try NginxServer.shared.get().configuration
        configuration.timeouts.connect = nil
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://127.0.0.1:\(refusingPort)/"))
        await expectError(.connect) { _ = try await transport.send(HTTPRequest(.get, url)) }
        let unknown = try #require(URL(string: "https://nowhere.invalid/"))
        await expectError(.resolve) { _ = try await transport.send(HTTPRequest(.get, unknown)) }
    }

    /// Descriptors do not leak, and no task hangs, over thousands of faults.
    @Test(.timeLimit(.minutes(5))) func thousandsOfFaultsLeakNothing() async throws {
        let count = Int(ProcessInfo.processInfo.environment["NETWORKING_FAULTS"] ?? "") ?? 1_000
        let faults: [Fault] = [
            Fault(.reset, .beforeResponse), Fault(.reset, .inHeader), Fault(.close, .inBody(500)),
            Fault(.close, .afterHeader), Fault(.reset, .inBody(10)), Fault(.stall, .beforeResponse),
            Fault(.stall, .inBody(3)), Fault(.garbage([1, 2, 3]), .beforeResponse),
        ]
        let proxy = try FaultProxy(upstream: .response(Self.response)) { faults[$0 % faults.count] }
        defer { proxy.close() }
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        configuration.timeouts = HTTPTimeouts(connect: nil, firstByte: Self.limit, idle: Self.limit)
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        let failures = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<64 {
                group.addTask {
                    var failures = 0
                    for _ in stride(from: worker, to: count, by: 64) {
                        do {
                            _ = try await transport.send(HTTPRequest(.get, url)).body.collect()
                        } catch is NetworkError {
                            failures += 1
                        } catch {}
                    }
                    return failures
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == count)
        // The last ones may have given up before the proxy took them in.
        try await eventually { proxy.connectionCount >= count }
        // A worker's last connection may not be closed yet, at either end; a leak would be hundreds.
        #expect(try Self.sockets(port: proxy.port) <= 2 * 64)
    }

    /// The sockets of connections to a port that someone holds open, both ends of each.
    private static func sockets(port: UInt16) throws -> Int {
        let mark = ":" + String(Int(port) + 0x1_0000, radix: 16, uppercase: true).suffix(4)
        return try kernelText("/proc/self/net/tcp").split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            guard words.count > 9, words[1].hasSuffix(mark) || words[2].hasSuffix(mark) else { return false }
            return words[3] != "0A" && words[9] != "0"
        }
    }
}
