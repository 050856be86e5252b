// SPDX-License-Identifier: MIT

import Testing

@Suite("The committed dependency graph")
struct DependencyGraphTests {
    @Test func `the graph says what the sources import`() throws {
        let repository = try Repository.here()
        let text = try #require(repository.file(DependencyGraph.path)?.text, "run Scripts/update-manifests")
        DependencyGraph(text).violations(in: repository.files).expectNone()
    }

    @Test func `nothing that ships depends on test support`() throws {
        let repository = try Repository.here()
        let graph = DependencyGraph(repository.file(DependencyGraph.path)?.text ?? "")
        let shipping = ["modules", "executables"].flatMap { graph.sections[$0] ?? [:] }
        #expect(!shipping.isEmpty)
        let isForTests = { (name: String) in name == "TestKit" || name.hasSuffix("TestSupport") }
        for (module, names) in shipping where !isForTests(module) {
            #expect(!names.contains { isForTests($0) || $0.hasSuffix("Tests") }, "\(module)")
        }
    }

    private static let sample = """
        # a comment: ignored
        [modules]
        Base:
        Upper: Base CLib

        [executables]
        app: Upper

        [tests]
        UpperTests: Upper

        [system libraries]
        CLib: pkg-config lib
        """

    private static let sources = [
        RepositoryFile(path: "Packages/Base/Sources/Base/B.swift", text: "import Glibc"),
        RepositoryFile(path: "Packages/Upper/Sources/Upper/U.swift", text: "import Base\nimport CLib"),
        RepositoryFile(path: "Packages/Upper/Tests/UpperTests/T.swift", text: "@testable import Upper"),
        RepositoryFile(path: "Apps/app/Main.swift", text: "import Upper"),
    ]

    @Test func `a graph that agrees with the sources passes`() {
        DependencyGraph(Self.sample).violations(in: Self.sources).expectNone()
    }

    @Test(arguments: [
        ("Upper: Base CLib", "Upper: CLib", "Upper imports Base"),
        ("Upper: Base CLib", "Upper: Base", "Upper imports CLib"),
        ("app: Upper", "app: Base Upper", "app is listed as depending on Base"),
        ("UpperTests: Upper", "UpperTests:", "UpperTests imports Upper"),
        ("Base:\n", "Base:\nGone:\n", "lists Gone"),
        ("app: Upper", "", "does not list the module app"),
    ])
    func `a stale graph is found`(original: String, stale: String, finding: String) {
        let text = Self.sample.replacing(original, with: stale, maxReplacements: 1)
        let violations = DependencyGraph(text).violations(in: Self.sources)
        #expect(violations.contains { $0.finding.contains(finding) }, violations.report)
    }
}
