// SPDX-License-Identifier: MIT

import Security
import SyncWire
import TestKit
import Testing

@testable import Sync

/// The known answers come from a program of its own in Python: `hashlib` and `cryptography`.
struct PairingCodeTests {
    private func text(_ code: PairingCode) -> String { code.text.withExposed { $0 } }

    private func mistake(_ text: String) -> String {
        let error = #expect(throws: SyncError.self) { _ = try PairingCode(reading: text) }
        #expect(error?.code == .mistyped)
        return error?.message ?? ""
    }

    @Test(arguments: ["00000-00000-0", "01234-56789-0", "ZYXWV-TSRQP-4"])
    func `a known code has its check character`(text: String) throws {
        #expect(self.text(try PairingCode(reading: text)) == text)
    }

    @Test func `fresh codes differ, and each is read back`() throws {
        var seen: Set<String> = []
        for _ in 0..<100 {
            let text = text(try PairingCode())
            #expect(text.utf8.count == 13)
            #expect(self.text(try PairingCode(reading: text)) == text)
            seen.insert(text)
        }
        #expect(seen.count == 100)
    }

    @Test(arguments: ["zyxwvtsrqp4", " ZYXWV TSRQP 4\n", "zyxw-vtsr-qp4", "ZYXWV–TSRQP–4"])
    func `case, spaces and hyphens do not matter`(text: String) throws {
        #expect(self.text(try PairingCode(reading: text)) == "ZYXWV-TSRQP-4")
    }

    @Test func `letters that look like digits are read as these`() throws {
        #expect(text(try PairingCode(reading: "OI234-56789-o")) == "01234-56789-0")
        #expect(text(try PairingCode(reading: "0l234-56789-O")) == "01234-56789-0")
    }

    @Test func `one wrong character and two swapped ones never pass`() throws {
        for _ in 0..<5 {
            let right = Array(text(try PairingCode()).replacing("-", with: ""))
            for position in right.indices {
                for other in PairingCode.alphabet where other != right[position] {
                    var wrong = right
                    wrong[position] = other
                    #expect(mistake(String(wrong)).hasPrefix("The code has a typing mistake."))
                }
                for other in right.indices where right[other] != right[position] {
                    var wrong = right
                    wrong.swapAt(position, other)
                    #expect(mistake(String(wrong)).hasPrefix("The code has a typing mistake."))
                }
            }
        }
    }

    @Test(arguments: [
        ("", "A code has 11 characters; this has 0."), ("0123456789", "A code has 11 characters; this has 10."),
        ("01234-56789-00", "A code has 11 characters; this has 12."),
        ("0123U-56789-0", "Character 5 of the code, “U”, is not used in codes."),
        ("parley:ARgG", "Character 7 of the code, “:”, is not used in codes."),
    ]) func `another mistake is named`(text: String, message: String) {
        #expect(mistake(text) == message)
    }

    @Test func `a whole file is no code`() {
        #expect(mistake(String(repeating: "0", count: 100_000)) == "A code has 11 characters; this has more.")
    }

    @Test func `a code does not print itself`() throws {
        #expect("\(try PairingCode())" == "<PairingCode>")
    }
}

struct PairingSealTests {
    static let seal: PairingSeal? = try? PairingSeal(PairingCode(reading: "01234-56789-0"))

    @Test(arguments: [
        (
            "00000-00000-0", "c379d6fafb184443f7cd4cc961035efb",
            "000102030405060708090a0b042f807ef09a53050127d6c14a0e72ce8574a57b178f"
        ),
        (
            "01234-56789-0", "c20d05d0d38ec7acdfc5820147216c67",
            "000102030405060708090a0b6bd19b023b2c64d18b056147a5dd48f7fb1e05638a98"
        ),
        (
            "ZYXWV-TSRQP-4", "ee4896f506481716330d16dd524678d5",
            "000102030405060708090a0ba1b8ee5c63080337727ba30565fa09ff7509ddb20a49"
        ),
    ]) func `a known code has a known id and key`(code: String, id: String, sealed: String) throws {
        let seal = try PairingSeal(PairingCode(reading: code))
        #expect(Hash(seal.id)?.description == id)
        #expect(seal.name(.opening).text == "p-\(id)-3")
        let message = try seal.open(bytes(sealed), .opening)
        #expect(message == Array("hello".utf8))
    }

    @Test func `a message opens as its own step alone, and whole`() throws {
        let seal = try #require(Self.seal)
        let sealed = try seal.seal(Array("hello".utf8), .offer)
        for step in PairingStep.allCases {
            let opened = try? seal.open(sealed, step)
            #expect((opened != nil) == (step == .offer))
        }
        for index in sealed.indices {
            var wrong = sealed
            wrong[index] ^= 1
            #expect(throws: SyncError.self) { _ = try seal.open(wrong, .offer) }
        }
        #expect(throws: SyncError.self) { _ = try seal.open([], .offer) }
    }

    @Test func `known messages have known words`() throws {
        let digest = try PairingMessage.digest(
            offer: Array("offer".utf8), answer: Array("answer".utf8), random: [UInt8](0..<32))
        #expect("\(digest)" == "02a3b7a635e7c1ae837eda3c3033dc367e68a2a7e9f06186e6b67ad32ccfa177")
        #expect(PairingMessage.words(of: digest) == ["actor", "buffalo", "trumpet", "hint", "lab", "struggle"])
    }

    @Test func `known values have known messages`() throws {
        let phrase = "abandon amount liar amount expire adjust cage candy arch gather drum bulk topic accuse"
        let keys = try RecoveryPhrase(reading: Sensitive(utf8: phrase)).secretKeys
        let answer = try PairingAnswer(
            keys, name: "Büro", offer: Array("offer".utf8), random: [UInt8](0..<32))
        let digest = try #require(Hash([UInt8](0..<32)))
        let messages = [
            answer.encoded,
            PairingDecision(digest: digest, isYes: true, record: Hash([UInt8](32..<64))).encoded,
            PairingDecision(digest: digest, isYes: false).encoded,
        ]
        let hashes =
            try messages.map { try Hash(of: $0).description } + ["\(PairingOffer.commitment(to: digest.bytes))"]
        #expect(
            hashes == [
                "eb84e1db92a530ef17bc737fd3e33d28cfe6a41b96b7c386c7d557ca2d47c0c2",
                "60010f155f43ac907d692216b794374769876b75668d76433d8398469954dd8f",
                "24524254694cb2be99243bc5d2526ca6905b872704d375d87abc2a614a0637ef",
                "470110887365ad55d5c86930d5572b5c03f2c39706658a2cc5b81874025eab0c",
            ])
        #expect(try PairingAnswer(answer.encoded) == answer)
    }

    @Test func `a message that is not whole is refused`() throws {
        let keys = try SecretKeys()
        let founding = try Roster.makeFounding(device: keys, recovery: keys.publicKeys, name: "a")
        let offer = PairingOffer(
            group: founding.hash, founding: founding.bytes, device: try keys.publicKeys.device, name: "a",
            commitment: founding.hash
        ).encoded
        let answer = try PairingAnswer(keys, name: "a", offer: offer, random: [UInt8](0..<32)).encoded
        let decision = PairingDecision(digest: founding.hash, isYes: true, record: founding.hash).encoded
        let digest = founding.hash
        let readers: [(bytes: [UInt8], read: ([UInt8]) throws -> Void)] = [
            (offer, { _ = try PairingOffer($0) }), (answer, { _ = try PairingAnswer($0) }),
            (decision, { _ = try PairingDecision($0, digest: digest) }),
        ]
        for (bytes, read) in readers {
            try read(bytes)
            for count in bytes.indices {
                #expect(throws: SyncError.self) { try read(Array(bytes.prefix(count))) }
            }
            #expect(throws: SyncError.self) { try read(bytes + [0]) }
        }
        // Each byte of an answer is signed.
        for index in answer.indices {
            var wrong = answer
            wrong[index] ^= 0x10
            #expect(throws: SyncError.self) { _ = try PairingAnswer(wrong) }
        }
    }

    @Test func `a name cannot steer a terminal`() {
        #expect(DeviceName.clean("lap\u{1b}[2Jtop\u{202e}\n") == "lap[2Jtop")
        #expect(DeviceName.clean(String(repeating: "é", count: 1_000)).count == 64)
        #expect(DeviceName.clean("Büro 🖥") == "Büro 🖥")
    }

    private func bytes(_ hex: String) throws -> [UInt8] {
        let digits = Array(hex)
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16))
        }
    }
}
