// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import TestKit
import Testing

/// A name look-up that hangs holds nothing up but itself.
struct NameLookUpTests {
    private static let variable = "NETWORKING_LOOK_UP_RESULT"

    @Test(.enabled(if: TestNamespace.isPermitted, TestNamespace.hint))
    func cancellingALookUpThatHangsHoldsNothingUp() async throws {
        let folder = try TemporaryFolder()
        let result = folder.file("seconds")
        try await TestNamespace.runTest("hangingLookUpInANamespace", environment: [Self.variable: result])
        let seconds = try #require(Double(String(contentsOfFile: result, encoding: .utf8)))
        // A loop that waits for the resolver waits for all of its time.
        #expect(seconds < 15, "of the 60 that the look-up would have taken")
    }

    /// Measures in the namespace what the test above judges.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "it is a part of the test above"))
    func hangingLookUpInANamespace() async throws {
        let result = try #require(ProcessInfo.processInfo.environment[Self.variable])
        let nameServer = try SilentNameServer()
        let proxy = try FaultProxy(upstream: .response(FaultTests.response), fault: nil)
        defer { proxy.close() }
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        configuration.timeouts.connect = nil
        let transport = try CurlTransport(configuration: configuration)
        let hanging = try #require(URL(string: "https://hanging.example/"))
        let living = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        let lookUp = Task { try await transport.send(HTTPRequest(.get, hanging)) }
        await nameServer.waitForQuestion()
        let started = ContinuousClock.now
        _ = try await transport.send(HTTPRequest(.get, living)).body.collect()
        lookUp.cancel()
        await #expect(throws: CancellationError.self) { try await lookUp.value }
        // On a new connection and on the kept one.
        _ = try await transport.send(HTTPRequest(.get, living)).body.collect()
        let elapsed = ContinuousClock.now - started
        try "\(elapsed / .seconds(1))".write(toFile: result, atomically: true, encoding: .utf8)
    }
}
