// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import TestKit

/// The scenarios of `Fixtures/scenarios`.
enum ScenarioFixture {
    static let names = [
        "every-event", "weather", "endings", "faults", "transcripts", "llama.cpp", "ollama", "vllm",
    ]

    private static var folder: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/scenarios")
    }

    static func read(_ name: String) throws -> Scenario {
        try Scenario(parsing: bytes(name))
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name + ".json")))
    }

    /// The names of all files that are there.
    static var files: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
                .map { String($0.dropLast(".json".count)) }
        }
    }
}
