// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Looking writes nothing: what a command makes, it makes when there is something to keep.
@Suite struct EmptyHomeTests {
    @Test(arguments: [
        ["--help"], ["--version"], ["help", "flags"], ["flags"], ["flags", "--json"], ["uploads", "list"],
        ["uploads", "retry", "1"], ["progress"], ["recordings", "list"],
        ["recordings", "delete", "12345678"], ["consent", "show"], ["history"], ["history", "search", "Texas"],
        ["trust", "list"], ["mcp", "list"], ["map", "Texas"], ["ask", "--no-history", "capital of Texas"],
    ])
    func `a command that only looks leaves the home empty`(_ words: [String]) async throws {
        let parley = try ParleyProcess()
        let result = try await parley.start(words).finished()
        #expect([0, 3].contains(result.code), "\(result)")
        #expect(FileManager.default.subpaths(atPath: parley.folder) == [])
    }
}
