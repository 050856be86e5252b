// SPDX-License-Identifier: MIT

import TestKit
import Testing

@Suite struct SnapshotFolderTests {
    private let home: TemporaryFolder
    private let folder: SnapshotFolder

    init() throws {
        home = try TemporaryFolder()
        folder = SnapshotFolder(home.file("Snapshots"))
    }

    private func differences(_ texts: [String: String], updates: Bool = false) throws -> String {
        try folder.differences(from: texts, updates: updates)
    }

    @Test func `only an update writes`() throws {
        #expect(try differences(["a": "1\n"]) == "--- a.txt is new\n@@ line 1 \n+1\n")
        #expect(try folder.files().isEmpty)
        #expect(try differences(["a": "1\n"], updates: true) == "")
        #expect(try differences(["a": "1\n"]) == "")
        #expect(try folder.files() == ["a": "1\n"])
    }

    @Test func `a difference is shown with its section`() throws {
        _ = try differences(["a": "=== x\n1\n2\n3\n\n=== y\n1\n"], updates: true)
        let new = "=== x\n1\ntwo\n3\n\n=== y\n1\n4\n"
        #expect(
            try differences(["a": new]) == """
                --- a.txt
                @@ line 3 === x
                -2
                +two
                @@ line 8 === y
                +4

                """)
    }

    @Test func `a file that nothing makes is a difference until an update removes it`() throws {
        _ = try differences(["a": "1\n", "b": "2\n"], updates: true)
        #expect(try differences(["b": "2\n"]) == "--- a.txt is used by no test\n@@ line 1 \n-1\n")
        #expect(try differences(["b": "2\n"], updates: true) == "")
        #expect(try folder.files() == ["b": "2\n"])
    }

    @Test func `equal sections are there once`() {
        let text = SnapshotFolder.text([("a", ["1", "", "2"]), ("b", ["3"]), ("c", ["1", "", "2"])])
        #expect(text == "=== a\n=== c\n1\n\n2\n\n=== b\n3\n")
        let sections = SnapshotFolder.sections(of: text)
        #expect(sections.map(\.title) == ["a", "c", "b"])
        #expect(sections.map(\.lines) == [["1", "", "2"], ["1", "", "2"], ["3"]])
    }

    @Test func `what is invisible has a sign`() {
        let line = "\u{1B}[1ma\u{200F}\u{202E}b\u{202C}\u{200F} \u{2068}c\u{2069}\r"
        let text = SnapshotFolder.text([("x", [line])])
        #expect(text == "=== x\n␛[1ma⟪b⟫ ⟨c⟩␍\n")
        #expect(SnapshotFolder.sections(of: text).first?.lines == [line])
    }
}
