// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestKit
import Testing

@testable import Localization

/// Catalogues that nothing has compiled; msgfmt is the judge.
@Suite struct CatalogueSourceTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../../..").standardized.path

    @Test(arguments: ["de", "es", "ar", "ja"]) func `each text equals the compiled one`(tag: String) throws {
        let folder = try TemporaryFolder()
        let source = Self.root + "/l10n/\(tag).po"
        let compiled = try ChildProcess(
            "msgfmt", ["--no-hash", "-o", folder.file("\(tag).mo"), source], errors: .captured
        ).finish()
        try #require(compiled.code == 0, "\(compiled.errors)")
        let (own, theirs) = (try MessageCatalogue(path: source), try MessageCatalogue(path: folder.file("\(tag).mo")))
        #expect(own.count == theirs.count && own.count > 2_000)
        for key in try CatalogueSource(path: source).texts.keys where !key.isEmpty {
            let parts = key.split(separator: "\u{4}").map(String.init)
            let (text, context) = (parts[parts.count - 1], parts.count > 1 ? parts[0] : nil)
            #expect(own.translation(of: text, context: context) == theirs.translation(of: text, context: context))
            for count in [0, 1, 2, 3, 11, 100, 102] {
                #expect(
                    own.translation(of: text, context: context, count: count)
                        == theirs.translation(of: text, context: context, count: count), "\(key) \(count)")
            }
        }
    }

    @Test func `fuzzy and obsolete texts are left out, and lines join`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            msgid ""
            msgstr ""
            "Plural-Forms: nplurals=1; plural=0;\\n"

            #, fuzzy
            #| msgid "old"
            msgid "fuzzy"
            msgstr "unscharf"

            msgid "a "
              "\\"b\\"\\t\\\\"
            msgstr "c"
            msgctxt "where"
            msgid "a"
            msgstr "d"

            #~ msgid "gone"
            #~ msgstr "weg"

            msgid "missing"
            msgstr ""
            """, to: "de.po")
        let catalogue = try MessageCatalogue(path: path)
        #expect(catalogue.count == 3)
        #expect(catalogue.translation(of: "a \"b\"\t\\") == "c")
        #expect(catalogue.translation(of: "a", context: "where") == "d" && catalogue.translation(of: "a") == nil)
        for text in ["", "fuzzy", "gone", "missing"] { #expect(catalogue.translation(of: text) == nil, "\(text)") }
    }

    @Test(arguments: [
        "msgid \"a", "msgid \"a\" b", "msgid \"\\x\"", "msgid a", "word \"a\"",
        "msgid \"a\"\nmsgstr \"b\"\nmsgstr \"c\"", "\"a\\", "", "\u{1}",
    ])
    func `a damaged source names its line, and English is shown`(_ text: String) throws {
        let fixture = try CatalogueFixture()
        let path = try fixture.folder.write(text, to: "de.po")
        let error = #expect(throws: LocalizationError.self) { try MessageCatalogue(path: path) }
        #expect(error?.code == .damaged && error?.message.contains(path) == true, "\(String(describing: error))")
        let finder = CatalogueFinder(domain: "test", sourceFolders: [fixture.root], systemFolder: nil)
        let translator = finder.translator(for: try #require(Language("de")))
        #expect(translator.language == .english && translator.problems.map(\.code) == [.damaged])
    }

    @Test func `sources come after what is built, and before what is installed`() throws {
        let (build, sources, system) = (try CatalogueFixture(), try CatalogueFixture(), try CatalogueFixture())
        try build.add("de", "msgid \"a\"\nmsgstr \"built\"\n")
        for tag in ["de", "es"] { try sources.add(tag, "msgid \"a\"\nmsgstr \"source\"\n") }
        for tag in ["de", "es", "ja"] { try system.add(tag, "msgid \"a\"\nmsgstr \"installed\"\n") }
        let finder = CatalogueFinder(
            domain: "other", buildFolder: nil, sourceFolders: [sources.root], systemFolder: nil)
        #expect(finder.languages.map(\.tag) == ["de", "en", "es"])
        let all = CatalogueFinder(
            domain: "test", buildFolder: build.root, sourceFolders: [sources.root], systemFolder: system.root)
        let found = try ["de", "es", "ja"].map { all.translator(for: try #require(Language($0)))(tr("a")) }
        #expect(found == ["built", "source", "installed"])
    }

    @Test func `the sources are those of the checkout that the program was built in`() throws {
        let folder = try TemporaryFolder()
        let program = folder.file(".build/x86_64-unknown-linux-gnu/release/parley")
        #expect(
            CatalogueFinder.sourceFolders(ofProgram: program, domain: "parley") == [folder.file("l10n")])
        for name in ["l10n", "l10n/parley-server"] { mkdir(folder.file(name), 0o700) }
        #expect(
            CatalogueFinder.sourceFolders(ofProgram: program, domain: "parley-server")
                == [folder.file("l10n/parley-server")])
        for path in ["/usr/bin/parley", "/parley", folder.file("a/b/release/parley")] {
            #expect(CatalogueFinder.sourceFolders(ofProgram: path, domain: "parley").isEmpty, "\(path)")
        }
    }
}
