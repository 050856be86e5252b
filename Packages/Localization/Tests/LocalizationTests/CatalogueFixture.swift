// SPDX-License-Identifier: MIT

import Localization
import TestKit

/// A tree of catalogues that `msgfmt` makes from `.po` texts while a test runs.
struct CatalogueFixture {
    let folder: TemporaryFolder

    struct Failure: Error { let errors: String }

    init() throws { folder = try TemporaryFolder() }

    var root: String { folder.path }

    /// Finds catalogues in this tree alone.
    var finder: CatalogueFinder { CatalogueFinder(domain: "test", buildFolder: root, systemFolder: nil) }

    func path(_ language: String) -> String { "\(root)/\(language)/LC_MESSAGES/test.mo" }

    /// Writes the catalogue of a language, and returns its path.
    @discardableResult
    func add(
        _ language: String, plurals: String = "nplurals=2; plural=n != 1;", options: [String] = [], _ body: String
    ) throws -> String {
        let header = """
            msgid ""
            msgstr ""
            "Content-Type: text/plain; charset=UTF-8\\n"
            "Plural-Forms: \(plurals)\\n"


            """
        try run("mkdir", ["-p", "\(root)/\(language)/LC_MESSAGES"])
        let source = try folder.write(header + body, to: language + ".po")
        try run("msgfmt", ["--no-hash", "-o", path(language), source] + options)
        return path(language)
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        let result = try ChildProcess(program, arguments, errors: .captured).finish()
        guard result.code == 0 else { throw Failure(errors: result.errors) }
    }

    /// The bytes of a file, changed, in a file of their own.
    func changed(_ path: String, _ change: (inout [UInt8]) -> Void) throws -> String {
        var bytes = try folder.bytes(String(path.dropFirst(root.count + 1)))
        change(&bytes)
        return try folder.write(bytes, to: "changed.mo")
    }

    static let german = """
        msgid "Cancel"
        msgstr "Abbrechen"

        msgctxt "verb"
        msgid "Open"
        msgstr "Öffnen"

        msgctxt "adjective"
        msgid "Open"
        msgstr "Offen"

        msgid "{count} message"
        msgid_plural "{count} messages"
        msgstr[0] "{count} Nachricht"
        msgstr[1] "{count} Nachrichten"

        msgid "Can"
        msgstr "Dose"

        msgid "Synced with {device}"
        msgstr "Mit {device} abgeglichen"

        """
}

/// The output of a Python program.
func python(_ program: String, _ arguments: [String] = [], input: String = "") throws -> String {
    let result = try ChildProcess(
        "python3", ["-c", program] + arguments, input: .bytes(Array(input.utf8)), output: .captured, errors: .captured
    ).finish()
    guard result.code == 0 else { throw CatalogueFixture.Failure(errors: result.errors) }
    return result.output
}
