// SPDX-License-Identifier: MIT

import Glibc
import Localization
import TestKit
import Testing

struct MessageCatalogueTests {
    @Test(arguments: ["little", "big"])
    func `texts, contexts and plurals are found`(order: String) throws {
        let fixture = try CatalogueFixture()
        let path = try fixture.add("de", options: ["--endianness=\(order)"], CatalogueFixture.german)
        let catalogue = try MessageCatalogue(path: path)
        #expect(catalogue.count == 7)
        #expect(catalogue.translation(of: "Cancel") == "Abbrechen")
        #expect(catalogue.translation(of: "Can") == "Dose")
        #expect(catalogue.translation(of: "Open", context: "verb") == "Öffnen")
        #expect(catalogue.translation(of: "Open", context: "adjective") == "Offen")
        #expect(catalogue.translation(of: "{count} message", count: 1) == "{count} Nachricht")
        #expect(catalogue.translation(of: "{count} message", count: -1) == "{count} Nachricht")
        #expect(catalogue.translation(of: "{count} message", count: .min) == "{count} Nachrichten")
        for missing in [
            "", "Open", "Ca", "Cancels", "Cancel\0", "\u{4}Cancel", "zzz", "{count} message\0{count} messages",
        ] {
            #expect(catalogue.translation(of: missing) == nil, "\(missing.debugDescription)")
        }
        #expect(catalogue.translation(of: "Cancel", context: "") == nil)
    }

    @Test func `each text equals Python's gettext`() throws {
        let fixture = try CatalogueFixture()
        let ids = (0..<2000).map { "Message \($0 &* 7919 % 2003)" }
        let body = Set(ids).map { "msgid \"\($0)\"\nmsgstr \"\($0) — übersetzt\"\n\n" }.joined()
        let path = try fixture.add("de", body)
        let program = """
            import gettext, sys
            catalogue = gettext.GNUTranslations(open(sys.argv[1], "rb"))
            for line in sys.stdin: print(catalogue.gettext(line.rstrip("\\n")))
            """
        let theirs = try python(program, [path], input: ids.map { $0 + "\n" }.joined()).split(separator: "\n").map(
            String.init)
        let catalogue = try MessageCatalogue(path: path)
        #expect(ids.map { catalogue.translation(of: $0) ?? $0 } == theirs)
    }

    @Test func `an empty catalogue opens`() throws {
        let fixture = try CatalogueFixture()
        let header: [UInt32] = [0x9504_12DE, 0, 0, 28, 28, 0, 28]
        let path = try fixture.folder.write(header.withUnsafeBytes { Array($0) }, to: "empty.mo")
        #expect(try MessageCatalogue(path: path).translation(of: "x", count: 2) == nil)
    }

    @Test func `a file cut at any byte is an error`() throws {
        let fixture = try CatalogueFixture()
        let path = try fixture.add("de", CatalogueFixture.german)
        let size = try fixture.folder.size("de/LC_MESSAGES/test.mo")
        for length in 0..<size {
            let cut = try fixture.changed(path) { $0.removeSubrange(length...) }
            #expect(code(cut) == .damaged, "\(length) of \(size)")
        }
    }

    @Test func `each damage has its error`() throws {
        let fixture = try CatalogueFixture()
        let path = try fixture.add("de", CatalogueFixture.german)
        func changed(_ change: (inout [UInt8]) -> Void) throws -> LocalizationError.Code? {
            code(try fixture.changed(path, change))
        }
        #expect(try changed { _ in } == nil)
        #expect(try changed { $0[0] = 0 } == .notACatalogue)
        #expect(try changed { $0[6] = 2 } == .notACatalogue)
        // Counts and offsets beyond the file, and near the end of what 32 bits hold.
        for field in [8, 12, 16] {
            #expect(try changed { $0.put(.max, at: field) } == .damaged)
            #expect(try changed { $0.put(UInt32($0.count), at: field) } == .damaged)
        }
        // The table of translations within that of the originals, and within the header.
        #expect(try changed { $0.put($0.word(at: 12) + 8, at: 16) } == .damaged)
        #expect(try changed { $0.put(4, at: 12) } == .damaged)
        // The second and the third original exchanged; the first text without its NUL; a length of 4 GB.
        #expect(
            try changed {
                let table = Int($0.word(at: 12))
                let (one, other) = (Array($0[table + 8..<table + 16]), Array($0[table + 16..<table + 24]))
                $0.replaceSubrange(table + 8..<table + 24, with: other + one)
            } == .damaged)
        #expect(
            try changed {
                let table = Int($0.word(at: 16))
                $0[Int($0.word(at: table)) + Int($0.word(at: table + 4))] = 120
            } == .damaged)
        #expect(try changed { $0.put(.max, at: Int($0.word(at: 16))) } == .damaged)
    }

    @Test func `a text that is not UTF-8 is missing`() throws {
        let fixture = try CatalogueFixture()
        let path = try fixture.add("de", CatalogueFixture.german)
        let changed = try fixture.changed(path) { bytes in
            let start = bytes.indices.first { bytes[$0...].starts(with: "Abbrechen".utf8) }
            if let start { bytes[start + 3] = 0xFF }
        }
        let catalogue = try MessageCatalogue(path: changed)
        #expect(catalogue.translation(of: "Cancel") == nil)
        #expect(catalogue.translation(of: "Can") == "Dose")
    }

    @Test func `another charset is an error that names it`() throws {
        let fixture = try CatalogueFixture()
        let path = try fixture.add("de", CatalogueFixture.german)
        // A later msgfmt makes UTF-8 of all others.
        let changed = try fixture.changed(path) { bytes in
            let start = bytes.indices.first { bytes[$0...].starts(with: "charset=UTF-8".utf8) }
            if let start { bytes.replaceSubrange(start + 8..<start + 13, with: "BIG-5".utf8) }
        }
        let error = #expect(throws: LocalizationError.self) { try MessageCatalogue(path: changed) }
        #expect(error?.code == .encoding)
        #expect(error?.message.contains("BIG-5") == true)
    }

    @Test(.timeLimit(.minutes(5)))
    func `no missing file, folder or pipe is opened`() throws {
        let fixture = try CatalogueFixture()
        #expect(code(fixture.folder.file("missing.mo")) == .notFound)
        #expect(code(fixture.root) == .file)
        #expect(code("x\0y") == .file)
        let pipe = fixture.folder.file("pipe.mo")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(code(pipe) == .file)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `random damage never traps`(seed: UInt64) throws {
        let fixture = try CatalogueFixture()
        let path = try fixture.add("de", CatalogueFixture.german)
        let whole = try fixture.folder.bytes("de/LC_MESSAGES/test.mo")
        var generator = SeededGenerator(seed: seed)
        var opened = 0
        for _ in 0..<1500 {
            let changed = try fixture.changed(path) { bytes in
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    // Mostly the header and the tables, where damage is not in a text.
                    let end = Bool.random(using: &generator) ? 28 + 16 * 7 : whole.count
                    bytes[Int.random(in: 0..<end, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                }
            }
            guard let catalogue = try? MessageCatalogue(path: changed) else { continue }
            opened += 1
            for id in ["Cancel", "Can", "Open", "zzz", "{count} message"] {
                for context in [nil, "verb"] {
                    _ = catalogue.translation(of: id, context: context)
                    _ = catalogue.translation(of: id, context: context, count: 3)
                }
            }
        }
        // Neither all nor none: else nothing was tried.
        #expect((1..<1500).contains(opened), "seed \(seed)")
    }

    private func code(_ path: String) -> LocalizationError.Code? {
        do throws(LocalizationError) {
            _ = try MessageCatalogue(path: path)
            return nil
        } catch {
            return error.code
        }
    }
}

extension [UInt8] {
    fileprivate func word(at offset: Int) -> UInt32 {
        withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }

    fileprivate mutating func put(_ word: UInt32, at offset: Int) {
        withUnsafeMutableBytes { $0.storeBytes(of: word, toByteOffset: offset, as: UInt32.self) }
    }
}
