// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Security

@Suite struct SealedInboxTests {
    private let folder: TemporaryFolder
    private let key: AppLockKey
    private let header: AppLockHeader
    private var inbox: SealedInbox { SealedInbox(folder: folder.file("inbox")) }

    init() throws {
        folder = try TemporaryFolder()
        key = try AppLockKey()
        header = try Self.header(key, generation: 1)
    }

    private static func header(_ key: AppLockKey, generation: UInt32) throws -> AppLockHeader {
        try AppLockHeader(
            key: key, generation: generation, passphrase: Sensitive(utf8: "open sesame"),
            parameters: ScryptParameters(costExponent: 14))
    }

    private func taken(_ key: AppLockKey? = nil, isLast: Bool = false) async throws -> (
        items: [String], damaged: [String]
    ) {
        var items: [String] = []
        let damaged = try await inbox.takeAll(with: key ?? self.key, isLast: isLast) {
            items.append(String(decoding: $0, as: UTF8.self))
        }
        return (items, damaged)
    }

    private func put(_ text: String) throws { #expect(try inbox.put(Array(text.utf8))) }

    private var items: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.file("inbox")).sorted() }
    }

    @Test func `items come out in their order, once, and are sealed meanwhile`() async throws {
        #expect(try !inbox.put([1]), "no lock, no inbox")
        #expect(try inbox.header() == nil)
        try inbox.adopt(key, header)
        for number in 0..<20 { try put("planted \(number)") }
        for name in try items {
            #expect(try Data(folder.bytes("inbox/\(name)")).range(of: Data("planted".utf8)) == nil)
            #expect(try folder.mode("inbox/\(name)") == 0o600)
        }
        #expect(try folder.mode("inbox") == 0o700)
        #expect(try await taken().items == (0..<20).map { "planted \($0)" })
        #expect(try await taken().items == [])
    }

    @Test func `a clock that is set back changes no order`() async throws {
        try inbox.adopt(key, header)
        for (number, time) in [500.0, 900, 100, 100, 0].enumerated() {
            let inbox = SealedInbox(folder: folder.file("inbox")) { Date(timeIntervalSince1970: time) }
            #expect(try inbox.put(Array("\(number)".utf8)))
        }
        #expect(try await taken().items == (0..<5).map(String.init))
    }

    @Test func `an item that fails is there again`() async throws {
        try inbox.adopt(key, header)
        try put("one")
        try put("two")
        await #expect(throws: CancellationError.self) {
            _ = try await inbox.takeAll(with: key) { if $0 == Array("two".utf8) { throw CancellationError() } }
        }
        #expect(try await taken().items == ["two"])
    }

    @Test func `damaged, moved and foreign items are set aside`() async throws {
        try inbox.adopt(key, header)
        try put("good")
        try put("changed")
        try put("moved")
        let names = try items.filter { $0.hasSuffix(".item") }
        var bytes = try folder.bytes("inbox/\(names[1])")
        bytes[bytes.count - 1] ^= 1
        try folder.write(bytes, to: "inbox/\(names[1])")
        try FileManager.default.moveItem(
            atPath: folder.file("inbox/\(names[2])"), toPath: folder.file("inbox/zzzz.item"))
        try folder.write([UInt8](repeating: 0, count: 100), to: "inbox/zzzzz.item")
        try folder.write([], to: "inbox/zzzzzz.item")
        let (found, damaged) = try await taken()
        #expect(found == ["good"])
        #expect(
            damaged == [names[1], "zzzz.item", "zzzzz.item", "zzzzzz.item"].map { folder.file("inbox/\($0).damaged") })
        #expect(damaged.allSatisfy(FileManager.default.fileExists))
    }

    @Test func `another key neither opens nor takes the inbox over`() async throws {
        try inbox.adopt(key, header)
        try put("planted")
        let other = try AppLockKey()
        #expect(throws: SecurityError.self) { try inbox.adopt(other, Self.header(other, generation: 9)) }
        #expect(try inbox.header() == header)
    }

    @Test func `of two headers the newer one stays, and a key that was replaced is put right`() async throws {
        let newer = try Self.header(key, generation: 2)
        try inbox.adopt(key, newer)
        try inbox.adopt(key, header)
        #expect(try inbox.header() == newer)
        var bytes = try folder.bytes("inbox/seal")
        let sound = bytes
        bytes.replaceSubrange((bytes.count - 32)..., with: try X25519.PrivateKey().publicKey.bytes)
        try folder.write(bytes, to: "inbox/seal")
        try inbox.adopt(key, header)
        #expect(try folder.bytes("inbox/seal") == sound)
    }

    @Test(arguments: [0, 1, 50, 139, 141])
    func `a damaged seal is an error, and no inbox`(length: Int) throws {
        try inbox.adopt(key, header)
        let bytes = try folder.bytes("inbox/seal")
        try folder.write(Array((bytes + [0]).prefix(length)), to: "inbox/seal")
        #expect(throws: SecurityError.self) { try inbox.header() }
        #expect(throws: SecurityError.self) { try inbox.put([1]) }
    }

    @Test func `what could not be opened in an earlier run stays at the end`() async throws {
        try inbox.adopt(key, header)
        #expect(try inbox.put([1]))
        try folder.write([1, 2, 3], to: "inbox/0-broken.item")
        let damaged = try await inbox.takeAll(with: key) { _ in }
        #expect(damaged.count == 1)
        #expect(try await inbox.takeAll(with: key, isLast: true) { _ in }.isEmpty)
        #expect(damaged.allSatisfy(FileManager.default.fileExists(atPath:)))
    }

    @Test func `many writers lose nothing beside one who takes and ends it`() async throws {
        try inbox.adopt(key, header)
        let inbox = inbox
        let refused = await withTaskGroup(of: [String].self) { group in
            for writer in 0..<4 {
                group.addTask {
                    (0..<25).map { "\(writer) \($0)" }.filter { (try? inbox.put(Array($0.utf8))) != true }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        var all = try await taken().items
        async let late = Task.detached { (0..<50).filter { (try? inbox.put(Array("late \($0)".utf8))) == true } }.value
        all += try await taken(isLast: true).items
        let accepted = await late
        // After the end nothing is taken in, and what was taken in came out.
        #expect(refused == [] && all.count == 100 + accepted.count)
        #expect(Set(all).count == all.count)
        #expect(try inbox.header() == nil && !FileManager.default.fileExists(atPath: folder.file("inbox")))
    }
}
