// SPDX-License-Identifier: MIT

import Testing

/// Every port of Domain has a contract suite, and each suite runs over a fake and over a real implementation.
enum PortRule {
    /// Public protocols of Domain that need no suite of their own, each with the reason.
    static let withoutSuite = [
        "ActiveRecording": "PracticeRecorderContract checks what a recorder starts",
        "TakenRecording": "PracticeRecorderContract checks what a recorder has taken",
        "RecordingContent": "RecordingRepositoryContract reads every stretch of what is stored",
        "FlagValueConvertible": "it says which types a flag's value may have; nothing is behind it",
    ]

    private static let sources = "Packages/Domain/Sources/Domain/"
    private static let support = "Packages/Domain/Sources/DomainTestSupport/"
    private static let fakeRuns = "Packages/Domain/Tests/"
    private static let reason =
        "implementations drift apart unless one suite runs over each of them, the fake included (CONTRIBUTING.md, a port)"

    /// A finding for each protocol without a suite, each suite that does not run where it should, and each excuse that is old.
    static func violations(in files: [RepositoryFile], withoutSuite: [String: String] = withoutSuite) -> [Violation] {
        let ports = names(/public protocol (\w+)/, in: files.filter { $0.path.hasPrefix(sources) })
        let suites = names(/public enum (\w+)Contract\b/, in: files.filter { $0.path.hasPrefix(support) })
        let runs = files.filter { $0.isTest && !$0.path.hasPrefix(support) }
        var found: [Violation] = []
        func add(_ path: String, _ finding: String) {
            found.append(Violation(path: path, finding: finding, reason: reason))
        }
        for (port, path) in ports.sorted(by: { $0.key < $1.key }) {
            switch (suites[port], withoutSuite[port]) {
            case (nil, nil): add(path, "the port \(port) has no \(port)Contract in DomainTestSupport")
            case (let suite?, .some): add(suite, "\(port) has a suite: take it off PortRule.withoutSuite")
            case (nil, .some): continue
            case (let suite?, nil):
                let users = runs.filter { $0.codeLines.contains { $0.has("arguments: \(port)Contract.checks") } }
                let isFake = { (file: RepositoryFile) in file.path.hasPrefix(fakeRuns) }
                if !users.contains(where: isFake) { add(suite, "\(port)Contract runs over no fake in DomainTests") }
                if users.allSatisfy(isFake) { add(suite, "\(port)Contract runs over no real implementation") }
            }
        }
        for name in withoutSuite.keys.sorted() where ports[name] == nil {
            add("Tests/ArchitectureTests/PortTests.swift", "PortRule.withoutSuite names \(name), which is no port")
        }
        return found
    }

    /// What an expression captures in the code of files, and the file of each.
    private static func names(_ pattern: Regex<(Substring, Substring)>, in files: [RepositoryFile]) -> [String: String]
    {
        var names: [String: String] = [:]
        for file in files {
            for line in file.codeLines where line.has("public") {
                if let match = line.firstMatch(of: pattern) { names[String(match.1)] = file.path }
            }
        }
        return names
    }
}

@Suite("Contract suites of ports")
struct PortTests {
    @Test func `every port has a suite that runs over fake and real`() throws {
        try PortRule.violations(in: Repository.here().files).expectNone()
    }

    private static let port = file("Sources/Domain/Clock.swift", "public protocol Clock: Sendable {}\n")
    private static let suite = file("Sources/DomainTestSupport/ClockContract.swift", "public enum ClockContract {}\n")
    private static let fakeRun = file("Tests/DomainTests/X.swift", "@Test(arguments: ClockContract.checks)\n")
    private static let realRun = RepositoryFile(
        path: "Packages/Data/Tests/DataLayerTests/X.swift", text: "@Test(arguments: ClockContract.checks, [1, 2])\n")

    @Test(arguments: [
        ([port], "has no ClockContract"), ([port, suite, realRun], "no fake"), ([port, suite, fakeRun], "no real"),
        ([port, file("Sources/DomainTestSupport/X.swift", "// public enum ClockContract\n")], "has no ClockContract"),
    ])
    func `a port without a suite, or without a run, is found`(files: [RepositoryFile], finding: String) {
        let found = PortRule.violations(in: files, withoutSuite: [:])
        #expect(found.count == 1)
        #expect(found.report.rawValue.contains(finding))
    }

    @Test func `an excuse is taken only while it is needed`() {
        let all = [Self.port, Self.suite, Self.fakeRun, Self.realRun]
        PortRule.violations(in: all, withoutSuite: [:]).expectNone()
        PortRule.violations(in: [Self.port], withoutSuite: ["Clock": "a sample"]).expectNone()
        #expect(PortRule.violations(in: all, withoutSuite: ["Clock": "a sample"]).count == 1)
        #expect(PortRule.violations(in: all, withoutSuite: ["Gone": "a sample"]).count == 1)
    }

    private static func file(_ path: String, _ text: String) -> RepositoryFile {
        RepositoryFile(path: "Packages/Domain/" + path, text: text)
    }
}
