// SPDX-License-Identifier: MIT

import Security
import TestKit
import Testing

@testable import Sync

struct PairingTextTests {
    private static let known = [
        ("folder", "01234-56789-0", "parley:ARgGZm9sZGVyCjAxMjM0NTY3ODmpvuak"),
        (
            "https://cloud.example/dav/", "ZYXWV-TSRQP-4",
            "parley:ASwaaHR0cHM6Ly9jbG91ZC5leGFtcGxlL2Rhdi8KWllYV1ZUU1JRUFrWATs"
        ),
    ]

    private func mistake(_ text: String) -> String {
        let error = #expect(throws: SyncError.self) { _ = try PairingText(reading: text) }
        #expect(error?.code == .mistyped, "\(text)")
        return error?.message ?? ""
    }

    private func written(_ place: String, _ code: String) throws -> String {
        try PairingText(place: place, code: PairingCode(reading: code)).text.withExposed { $0 }
    }

    @Test(arguments: known) func `a known text is written and read`(place: String, code: String, text: String) throws {
        let written = try written(place, code)
        #expect(written == text)
        let read = try PairingText(reading: text)
        #expect(read.place == place)
        #expect(read.code.text.withExposed { $0 } == code)
    }

    @Test func `texts of any length are read back, also broken into lines`() throws {
        for count in Array(0...130) + [1_000] {
            let place = String(repeating: "ü", count: count / 2) + String(repeating: "x", count: count % 2)
            let text = try written(place, "01234-56789-0")
            let lines = text.map { $0 == "A" ? "A\n  " : "\($0)" }.joined()
            #expect(try PairingText(reading: lines).place == place)
        }
        #expect(throws: SyncError.self) {
            _ = try PairingText(place: String(repeating: "x", count: 1_001), code: PairingCode())
        }
    }

    @Test func `each cut is said to be one`() throws {
        for (_, _, text) in Self.known {
            for count in 7..<text.count {
                #expect(mistake(String(text.prefix(count))) == "The text is cut off. Copy the whole line.")
            }
            for count in 0..<7 { #expect(mistake(String(text.prefix(count))).hasPrefix("This is no text of Parley's")) }
        }
    }

    @Test func `each wrong character is noticed`() throws {
        for (_, _, text) in Self.known {
            for index in text.indices.dropFirst(PairingText.prefix.count) {
                for other in "AQZaz09-_" where other != text[index] {
                    let wrong = text[..<index] + String(other) + text[text.index(after: index)...]
                    let read = try? PairingText(reading: wrong)
                    // The last digit has bits that stand for nothing.
                    let isLast = text.index(after: index) == text.endIndex
                    #expect(read == nil || isLast)
                }
            }
        }
    }

    @Test(arguments: [
        ("otpauth://totp/x", "This is no text of Parley's. It begins with “parley:”."),
        ("parley:ARgGZm9s ZGVy!", "Character 20, “!”, does not belong in the text."),
        ("parley:ARgGZm9sZGVyCjAxMjM0NTY3ODmpvuakAAAA", "There is more than the text. Copy the one line alone."),
        ("parley:ARgGZm9sZGVyCjAxMjM0NTY3ODipvuak", "The text has a typing mistake. Copy the whole line."),
        (
            "parley:" + String(repeating: "A", count: 100_000),
            "This is too long for a text of Parley's. Copy the one line that begins with parley:."
        ),
    ]) func `another text is named for what it is`(text: String, message: String) {
        #expect(mistake(text) == message)
    }

    @Test func `a text of a newer version asks for an update`() throws {
        var bytes: [UInt8] = [2, 9, 1, 2, 3]
        bytes += try Crypto.hash(Crypto.Label.pairing.bytes + bytes).prefix(4)
        let text = "parley:" + PairingText.base64(bytes)
        let error = #expect(throws: SyncError.self) { _ = try PairingText(reading: text) }
        #expect(error?.code == .newer)
    }

    @Test(arguments: [
        ("folder", "folder"), ("https://me:secret@cloud.example/dav/", "https://me@cloud.example/dav/"),
        ("https://me:se@cret@cloud.example/dav?token=secret#secret", "https://me@cloud.example/dav"),
        ("sftp://me@host:22/a:b@c", "sftp://me@host:22/a:b@c"), ("https://cloud.example", "https://cloud.example"),
    ]) func `a password never gets into the text`(place: String, expected: String) throws {
        #expect(try PairingText(place: place, code: PairingCode()).place == expected)
    }

    @Test func `any text is read or refused`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...60, using: &generator)
            let digits = (0..<count).map { _ in "AQZaz09-_BCD".randomElement(using: &generator) ?? "A" }
            do throws(SyncError) { _ = try PairingText(reading: "parley:" + String(digits)) } catch {
                #expect([.mistyped, .newer].contains(error.code))
            }
        }
    }
}
