// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Headless Chromium, as a person or a mail scanner would use it.
enum Browser {
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
        let output = try await onThread {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3", script, address] + (presses ? [] : ["--look-only"])
            let pipe = Pipe.uninherited()
            process.standardOutput = pipe
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return process.terminationStatus == 0 ? output : Data()
        }
        let pages = try output.split(separator: 10).map { try JSONDecoder().decode(Page.self, from: $0) }
        try #require(pages.count == (presses ? 2 : 1), "what the browser printed says why")
        return pages
    }
}
