// SPDX-License-Identifier: MIT

import Testing

@Suite("What holds for whole files")
struct FileTests {
    private typealias Rule = @Sendable ([RepositoryFile]) -> [Violation]

    @Test func `no file is too long`() throws {
        try expectNone(FileRule.tooLong)
    }

    @Test func `every Swift file has the one-line licence header`() throws {
        try expectNone(FileRule.wrongLicence)
    }

    @Test func `no file is a junk drawer`() throws {
        try expectNone(FileRule.junkDrawers)
    }

    @Test func `every package has a manifest, a README and tests`() throws {
        try expectNone(FileRule.incompletePackages)
    }

    @Test func `a long file is found unless it is a table`() {
        let text = String(repeating: "let x = 1\n", count: FileRule.lineLimit)
        #expect(FileRule.tooLong([file("Apps/parley/X.swift", text)]).count == 1)
        #expect(FileRule.tooLong([file("Scripts/x", "#!/bin/sh\n" + text)]).count == 1)
        #expect(FileRule.tooLong([file("Apps/parley/XTable.swift", text)]).isEmpty)
        #expect(FileRule.tooLong([file("Apps/parley/X.swift", String(text.dropFirst(10).dropLast()))]).isEmpty)
    }

    @Test(arguments: [
        ("import Domain\n", 1),
        ("// SPDX-License-Identifier: Apache-2.0\n\nimport Domain\n", 1),
        ("// SPDX-License-Identifier: MIT\n// Copyright somebody\n\nimport Domain\n", 1),
        ("\n// SPDX-License-Identifier: MIT\n", 1),
        ("// SPDX-License-Identifier: MIT\n\n// A comment.\nimport Domain\n", 0),
    ])
    func `another header is found`(text: String, count: Int) {
        #expect(FileRule.wrongLicence([file("Apps/parley/X.swift", text)]).count == count)
        #expect(FileRule.wrongLicence([file("Packages/X/Package.swift", text)]).isEmpty)
    }

    @Test func `a junk drawer is found`() {
        for path in ["Apps/parley/Utils.swift", "Apps/parley/Common/X.swift", "Apps/parley/String+Helpers.swift"] {
            #expect(FileRule.junkDrawers([file(path, "")]).count == 1, "\(path)")
        }
        #expect(FileRule.junkDrawers([file("Apps/parley/CommonNameTable.swift", "")]).isEmpty)
    }

    @Test func `an incomplete package is found`() {
        let whole = [
            file("Packages/X/Package.swift", ""), file("Packages/X/README.md", "X"),
            file("Packages/X/Sources/X/X.swift", ""), file("Packages/X/Tests/XTests/XTests.swift", "@Test func f() {}"),
        ]
        #expect(FileRule.incompletePackages(whole).isEmpty)
        for index in [0, 1, 3] {
            var files = whole
            files.remove(at: index)
            #expect(FileRule.incompletePackages(files).count == 1, "without \(whole[index].path)")
        }
    }

    private func expectNone(_ rule: Rule) throws {
        try rule(Repository.here().files).expectNone()
    }

    private func file(_ path: String, _ text: String) -> RepositoryFile { RepositoryFile(path: path, text: text) }
}
