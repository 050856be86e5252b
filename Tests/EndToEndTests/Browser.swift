// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Headless Chromium, as a person or a mail scanner would use it.
enum Browser {
    /// The names by which `Fixtures/browser.py` finds it.
    static let isInstalled = ["chromium", "chromium-browser", "google-chrome"].contains { name in
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    /// What a page shows.
    struct Page: Decodable, Sendable {
        let address: String
        let title: String
        let text: String
        let status: Int
        /// What it has loaded besides itself.
        let besides: [String]
    }

    /// Opens an address and, if told so, presses the button there; gives the pages.
    static func open(_ address: String, presses: Bool = true) async throws -> [Page] {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/browser.py").path
        // Chromium leaves a folder in the one for temporary files.
        let folder = try TemporaryFolder()
        let result = try await ChildProcess(
            "python3", [script, address] + (presses ? [] : ["--look-only"]),
            environment: .adding(["TMPDIR": folder.path])
        ).finished()
        try #require(result.code == 0, "what the browser printed says why")
        let pages = try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(Page.self, from: Data($0.utf8))
        }
        try #require(pages.count == (presses ? 2 : 1), "what the browser printed says why")
        return pages
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves a test out where there is no browser.
    static var browser: Self { .enabled(if: Browser.isInstalled, "chromium is not installed: Scripts/bootstrap test") }
}
