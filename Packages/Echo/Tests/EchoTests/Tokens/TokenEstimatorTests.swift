// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestKit
import Testing

@testable import EchoText

@Suite("Token estimator")
struct TokenEstimatorTests {
    @Test("No sample has more tokens than estimated, and English not more than four times fewer")
    func samples() throws {
        let path = #filePath.replacing("Tokens/TokenEstimatorTests.swift", with: "Fixtures/o200k-samples.json")
        let data = try #require(FileManager.default.contents(atPath: path))
        let samples = try #require(try JSONValue(parsing: Array(data))["samples"]?.array)
        #expect(samples.count > 45)
        for sample in samples {
            let name = try #require(sample["name"]?.string)
            let text = try #require(sample["text"]?.string)
            let tokens = try #require(sample["tokens"]?.integer)
            let estimate = TokenEstimator().tokens(in: text)
            #expect(estimate >= tokens, "\(name)")
            #expect(estimate <= text.utf8.count, "\(name)")
            if name == "english" { #expect(estimate <= 4 * tokens) }
            if ["english", "german", "arabic", "swift", "json"].contains(name) {
                #expect(Double(estimate) * TokenScale.unmeasured >= Double(tokens), "\(name)")
            }
        }
    }

    @Test("A text costs no less than its parts did, and no more than its bytes", arguments: 0..<50)
    func growth(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var text = ""
        var last = 0
        for _ in 0..<200 {
            let usual: [Unicode.Scalar] = [" ", " ", " ", "a", "Z", "7", ".", "\n", "é", "ж", "語"]
            let rare = Unicode.Scalar(UInt32.random(in: 9...0x1FFFF, using: &random))
            guard let scalar = Int.random(in: 0..<4, using: &random) == 0 ? rare : usual.randomElement(using: &random)
            else { continue }
            text.unicodeScalars.append(scalar)
            let estimate = TokenEstimator().tokens(in: text)
            #expect(estimate >= last)
            last = estimate
        }
    }
}
