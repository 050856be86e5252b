// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import Sync
import SyncTransports
import SyncWire
import Testing

/// The relay's answers as errors of a place; the real relay is in ContractTests.
struct RelayErrorTests {
    private static let name = SyncObjectName.log(device: [UInt8](0..<16), first: 1, last: 2)

    private func relay(_ answer: @escaping ScriptedTransport.Answer) -> RelayTransport {
        var configuration = HTTPClient.Configuration()
        configuration.baseURL = URL(string: "https://relay.example/parley")
        (configuration.retry, configuration.circuitBreaker, configuration.rateLimits) = (nil, nil, nil)
        let client = HTTPClient(transport: ScriptedTransport(answer), configuration: configuration)
        return RelayTransport(client: client, group: [UInt8](repeating: 0xFE, count: SyncLimit.groupByteCount))
    }

    private func code(_ body: () async throws -> Void) async -> SyncError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SyncError)?.code
        }
    }

    @Test(arguments: [
        (401, SyncError.Code.refused), (403, .refused), (409, .exists), (413, .tooLarge), (507, .full),
        (400, .invalidAnswer),
        (404, .invalidAnswer), (405, .invalidAnswer), (415, .invalidAnswer), (408, .unreachable), (429, .unreachable),
        (500, .unreachable), (502, .unreachable), (503, .unreachable), (504, .unreachable),
    ]) func `a status is the error that it means`(status: Int, expected: SyncError.Code) async {
        let relay = relay { HTTPResponse(status: status, url: $0.url, body: HTTPResponseBody([])) }
        #expect(await code { try await relay.create(Self.name, [1]) } == expected)
        #expect(await code { try await relay.remove(Self.name) } == expected)
        #expect(await code { _ = try await relay.list(after: nil) } == expected)
        #expect(await code { _ = try await relay.read(Self.name) } == (status == 404 ? .notFound : expected))
    }

    @Test(arguments: [
        (NetworkError.Code.connect, SyncError.Code.unreachable), (.resolve, .unreachable), (.certificate, .refused),
        (.unauthorized, .refused), (.refreshLimit, .refused), (.invalidResponse, .invalidAnswer),
    ]) func `a fault of the network is out of reach`(fault: NetworkError.Code, expected: SyncError.Code) async {
        let relay = relay { _ in throw NetworkError(code: fault, message: "Check the cable.") }
        do {
            _ = try await relay.list(after: nil)
            Issue.record("no error")
        } catch let error as SyncError {
            #expect(error.code == expected)
            if expected == .unreachable { #expect(error.message.hasSuffix("Check the cable.")) }
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func `a cancelled call throws CancellationError`() async {
        let relay = relay { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await relay.create(Self.name, [1]) }
    }

    @Test func `the server's own words are in the message`() async throws {
        let problem = #"{"type":"about:blank","title":"x","status":507,"detail":"There is room for 3 bytes."}"#
        let relay = relay {
            HTTPResponse(
                status: 507, headers: ["Content-Type": "application/problem+json"], url: $0.url,
                body: HTTPResponseBody(Array(problem.utf8)))
        }
        let error = await #expect(throws: SyncError.self) { try await relay.create(Self.name, [1]) }
        #expect(error?.message == "The relay has no room left. There is room for 3 bytes.")
    }

    @Test(arguments: [
        "", "<html>", "[]", #"{"objects":[]}"#, #"{"objects":[],"cursor":"a","whole":false,"more":true}"#,
        #"{"objects":[{"name":"m-1","size":-1}],"cursor":"a","whole":false,"more":false}"#,
    ]) func `an answer that is no listing is not understood`(body: String) async {
        let relay = relay { HTTPResponse(status: 200, url: $0.url, body: HTTPResponseBody(Array(body.utf8))) }
        #expect(await code { _ = try await relay.list(after: nil) } == .invalidAnswer)
    }

    @Test func `an answer that is too long is not read to its end`() async {
        let bytes = [UInt8](repeating: 32, count: SyncLimit.objectByteCount + 1)
        let relay = relay { HTTPResponse(status: 200, url: $0.url, body: HTTPResponseBody(bytes)) }
        #expect(await code { _ = try await relay.read(Self.name) } == .tooLarge)
        #expect(await code { _ = try await relay.list(after: nil) } == .invalidAnswer)
    }

    @Test func `requests go below the base address`() async throws {
        let transport = ScriptedTransport { HTTPResponse(status: 204, url: $0.url, body: HTTPResponseBody([])) }
        var configuration = HTTPClient.Configuration()
        configuration.baseURL = URL(string: "https://relay.example/parley")
        let relay = RelayTransport(
            client: HTTPClient(transport: transport, configuration: configuration),
            group: [UInt8](repeating: 0xFE, count: SyncLimit.groupByteCount))
        try await relay.create(Self.name, [1, 2])
        try await relay.remove(Self.name)
        _ = try? await relay.list(after: SyncCursor("a&b"))
        let group = String(repeating: "fe", count: SyncLimit.groupByteCount)
        let objects = "https://relay.example/parley/sync/\(group)/objects"
        #expect(
            transport.requests.map { "\($0.method) \($0.url)" } == [
                "PUT \(objects)/\(Self.name)", "DELETE \(objects)/\(Self.name)", "GET \(objects)?after=a%26b",
            ])
        #expect(transport.requests[0].headers["Content-Type"] == "application/octet-stream")
    }

    @Test func `watching ends when the relay refuses`() async {
        let relay = relay { HTTPResponse(status: 403, url: $0.url, body: HTTPResponseBody([])) }
        for await _ in relay.changes() { Issue.record("an event") }
    }
}
