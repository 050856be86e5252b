// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Localization

struct ExtractionTests {
    private static let script =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5).joined(separator: "/")
        + "/Scripts/l10n"

    @Test(arguments: [Language.accentedEnglish, .mirroredEnglish])
    func `the script makes the pseudo-languages of the translator`(language: Language) throws {
        let texts = [
            "Cancel", "Delete {name}?", "{count} of {total} {{done}}", "It's 100 % \"done\" \\ now", "Two\nlines\n",
            "Café 5 kB/s – {x}",
            String(repeating: "A long text that needs all the padding there is, and more of it. ", count: 5),
        ]
        let fixture = try CatalogueFixture()
        let source = texts.enumerated().map { index, text in
            let literal = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return "let text\(index) = tr(\"\(literal)\", [:])\n"
        }
        let sources = fixture.root + "/Apps/x"
        _ = try ChildProcess("mkdir", ["-p", sources]).finish()
        try fixture.folder.write("import Localization\n" + source.joined(), to: "Apps/x/A.swift")
        let result = try ChildProcess(
            Self.script, ["pseudo", language.tag, "--root", fixture.root], environment: .adding(["LC_ALL": "C.UTF-8"]),
            errors: .captured
        ).finish()
        #expect(result.errors.isEmpty)
        let path = fixture.root + "/pseudo.mo"
        let made = try ChildProcess(
            "msgfmt", ["--check-format", "-o", path, "-"], input: .bytes(Array(result.output.utf8)), errors: .captured
        ).finish()
        #expect(made.code == 0, "\(made.errors)")
        let catalogue = try MessageCatalogue(path: path)
        let pseudo = try #require(Pseudolanguage(language))
        for text in texts {
            #expect(catalogue.translation(of: text) == pseudo.text(text))
        }
    }
}
