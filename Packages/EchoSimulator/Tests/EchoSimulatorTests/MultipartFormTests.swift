// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import EchoSimulator

@Suite struct MultipartFormTests {
    private static let type = "multipart/form-data; boundary=\"b 1\""

    private static func encode(_ parts: [MultipartForm.Part]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += "--b 1\r\nContent-Disposition: form-data; name=\"\(part.name)\"".utf8
            if let filename = part.filename { bytes += "; filename=\"\(filename)\"".utf8 }
            if let type = part.contentType { bytes += "\r\nContent-Type: \(type)".utf8 }
            bytes += "\r\n\r\n".utf8 + part.bytes + "\r\n".utf8
        }
        return bytes + "--b 1--\r\n".utf8
    }

    @Test func readsAnyBytes() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let pieces: [[UInt8]] = [
            [13], [10], [13, 10], [45, 45], Array("--b".utf8), Array("\r\n--b 2".utf8), [0, 255],
        ]
        for _ in 0..<200 {
            let parts = (0..<Int.random(in: 0...3, using: &random)).map { index in
                let bytes = (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in
                    pieces.randomElement(using: &random) ?? []
                }
                return MultipartForm.Part(
                    name: "p\(index)", filename: Bool.random(using: &random) ? "a.wav" : nil,
                    contentType: Bool.random(using: &random) ? "audio/wav" : nil, bytes: bytes)
            }
            #expect(MultipartForm(Self.encode(parts), contentType: Self.type)?.parts == parts, "seed \(seed)")
        }
    }

    @Test func brokenFormsAreRefused() {
        let whole = Self.encode([.init(name: "a", bytes: [1, 2, 3])])
        // The last line break may be left out.
        for count in 0..<(whole.count - 2) {
            #expect(MultipartForm(Array(whole.prefix(count)), contentType: Self.type) == nil)
        }
        #expect(MultipartForm(whole, contentType: "multipart/form-data") == nil)
        let late = Array("--b 1x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--b 1--".utf8)
        #expect(MultipartForm(late, contentType: Self.type) == nil)
        #expect(MultipartForm(whole, contentType: "application/json; boundary=\"b 1\"") == nil)
    }
}
