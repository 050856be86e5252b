// SPDX-License-Identifier: MIT

import Concurrency
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
        let result = folder.file("order")
        try await TestNamespace.runTest("hangingLookUpInANamespace", environment: [Self.variable: result])
        // A loop that waits for the resolver waits for all of its time.
        #expect(try String(contentsOfFile: result, encoding: .utf8) == "before the look-up ended")
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
        // Another look-up, which began earlier and so ends earlier.
        let control = Task.detached { await withCheckedContinuation { Self.lookUp("control.example", $0) } }
        let hasEnded = Guarded(false)
        Task {
            await control.value
            hasEnded.withLock { $0 = true }
        }
        await nameServer.waitForQuestion()
        _ = try await transport.send(HTTPRequest(.get, living)).body.collect()
        lookUp.cancel()
        await #expect(throws: CancellationError.self) { try await lookUp.value }
        // On a new connection and on the kept one.
        _ = try await transport.send(HTTPRequest(.get, living)).body.collect()
        let order = hasEnded.withLock { $0 } ? "after" : "before"
        try "\(order) the look-up ended".write(toFile: result, atomically: true, encoding: .utf8)
    }

    /// Blocks a thread of its own until the system has answered or given up.
    private static func lookUp(_ name: String, _ end: CheckedContinuation<Void, Never>) {
        Thread.detachNewThread {
            var found: UnsafeMutablePointer<addrinfo>?
            getaddrinfo(name, nil, nil, &found)
            if let found { freeaddrinfo(found) }
            end.resume()
        }
    }
}
