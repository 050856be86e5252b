// SPDX-License-Identifier: MIT

import DataAssistant
import Domain
import DomainTestSupport
import Foundation
import Networking
import NetworkingTestSupport
import TestKit
import Testing

/// The way to a server keeps the contract, whether the network is cut or the circuit breaker is open.
@Suite(.timeLimit(.minutes(5))) struct ConnectivityContractTests {
    @Test(arguments: ConnectivityContract.checks)
    func theNetwork(_ check: ContractCheck<ConnectivitySubject>) async throws {
        let network = ScriptedNetwork()
        try await check.run(
            ConnectivitySubject(
                ServerConnectivity(host: "api.example", network: network), cut: { network.set(isUp: false) },
                restore: { network.set(isUp: true) }))
    }

    @Test(arguments: ConnectivityContract.checks)
    func theCircuitBreaker(_ check: ContractCheck<ConnectivitySubject>) async throws {
        let clock = ManualClock()
        let url = try #require(URL(string: "http://127.0.0.1:1/v1"))
        var stages = HTTPClient.Configuration()
        stages.retry = nil
        let client = HTTPClient(
            transport: ScriptedTransport { _ in throw NetworkError(code: .connect, message: "It is away.") },
            configuration: stages, clock: ClientClock(clock))
        let way = ServerConnectivity(host: "127.0.0.1", network: ScriptedNetwork(), clock: clock) {
            client.circuitPause(to: url)
        }
        try await check.run(
            ConnectivitySubject(
                way,
                cut: {
                    for _ in 0..<5 { _ = try? await client.send(HTTPRequest(.get, url)) }
                }, restore: { clock.advance(by: .seconds(16)) }))
    }

    @Test(arguments: ["127.0.0.1", "192.168.1.7", "::1", "localhost", "gpu", "gpu.local"])
    func aServerThatIsReachedWithoutTheNetworkIsTriedWithoutOne(_ host: String) async throws {
        let network = ScriptedNetwork()
        network.set(isUp: false)
        #expect(await ServerConnectivity(host: host, network: network).obstacle() == nil)
        #expect(await ServerConnectivity(host: "api.openai.com", network: network).obstacle() == .noNetwork)
    }

    @Test func aNetworkThatCannotBeObservedCountsAsPresent() async throws {
        struct Blind: AsyncSequence, AsyncIteratorProtocol, Sendable {
            func makeAsyncIterator() -> Blind { self }
            func next() async throws -> NetworkState? { throw NetworkError(code: .other, message: "no socket") }
        }
        let way = ServerConnectivity(host: "api.example", network: Blind())
        #expect(await way.obstacle() == nil)
        try await way.untilBack()
    }
}
