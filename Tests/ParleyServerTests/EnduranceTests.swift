// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

/// What every request adds to, however little, ends a server that runs for months.
@Suite(.timeLimit(.minutes(5))) struct EnduranceTests {
    private static let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    /// The thousandth request costs the memory of the first, in a process of its own.
    @Test(.disabled(if: isSanitized, "a sanitizer keeps freed memory")) func requestsLeaveNothingBehind() async throws {
        let home = try TemporaryFolder()
        let server = try ServerProcess(home: home.path)
        let (client, url) = (try ServerFixture.makeClient(), try #require(URL(string: server.address + "/healthz")))
        func ask(_ count: Int) async throws {
            for _ in 0..<count { #expect(try await client.send(HTTPRequest(.get, url)).status == 200) }
        }
        try await ask(500)
        let before = try server.peakMemory
        try await ask(3_000)
        let growth = try server.peakMemory - before
        #expect(growth < 2 << 20, "\(growth >> 10) KB for 3,000 requests")
        #expect(server.stop() == 0)
    }
}
