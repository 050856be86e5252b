// SPDX-License-Identifier: MIT

/// Who may import whom: the diagram of docs/architecture.md as a table, each ban with its reason.
struct ImportRule: Sendable {
    /// The modules that the rule is about.
    let importer: String
    /// The modules of this repository that it may import; every other one is banned.
    let mayImport: Set<String>
    /// What its tests may import beside that and test support: the other end of its wire.
    var testsMayImport: Set<String> = []
    let reason: String

    /// One row a module. C modules stand with their only owner.
    static let table: [ImportRule] = [
        ImportRule(
            importer: "TestKit", mayImport: [],
            reason: "the tests of every package import TestKit, so anything that it imported would be everyone's"),
        ImportRule(
            importer: "Concurrency", mayImport: ["CThread", "CThreadSanitizer"],
            reason: "every module that waits imports Concurrency, so anything that it imported would be everyone's"),
        ImportRule(
            importer: "Domain", mayImport: [],
            reason: "Domain states what the product does and imports nothing of ours: what does it belongs behind a "
                + "port, in DataLayer"),
        ImportRule(
            importer: "DomainTestSupport", mayImport: ["Domain"],
            reason: "contracts and fakes of Domain's ports must be usable without any infrastructure"),
        ImportRule(
            importer: "Diagnostics", mayImport: ["CMalloc", "Concurrency"],
            reason: "every module logs through Diagnostics, so anything that it imported would be everyone's"),
        ImportRule(
            importer: "DesktopNotifications", mayImport: ["CGIO"],
            reason: "who wants a notification links GIO and nothing of ours"),
        ImportRule(
            importer: "Networking", mayImport: ["CCurl", "CLibCrypto", "Diagnostics"],
            reason: "a team that takes only Networking gets transports and no conversation types; mapping to Domain "
                + "belongs in DataLayer"),
        ImportRule(
            importer: "NetworkingTestSupport", mayImport: ["Diagnostics", "Networking"],
            reason: "fakes of transports must be usable without any other infrastructure"),
        ImportRule(
            importer: "HTTPServer", mayImport: ["CMicroHTTPD", "Diagnostics", "Networking"],
            reason: "a team that takes only HTTPServer gets requests and answers; it shares headers and the WebSocket "
                + "codec with Networking, and what is served belongs to those above"),
        ImportRule(
            importer: "Persistence", mayImport: ["CSQLite", "Diagnostics"],
            testsMayImport: ["PersistenceCrashTestSupport"],
            reason: "a team that takes only Persistence gets SQLite and no conversation types; mapping to Domain "
                + "belongs in DataLayer"),
        ImportRule(
            importer: "PersistenceCrashTestSupport", mayImport: ["Persistence", "TestKit"],
            reason: "the process that the tests kill does with a database what an app does, and nothing else"),
        ImportRule(
            importer: "Security", mayImport: ["COpenSSL", "Diagnostics"],
            reason: "a team that takes only Security gets ciphers and secret stores; what is kept in them is the "
                + "business of those above"),
        ImportRule(
            importer: "SecuritySecretService", mayImport: ["CSecret", "Security"],
            reason: "who needs no keyring links no GLib, so the keyring is a module of its own, behind Security's port"),
        ImportRule(
            importer: "SecurityProbeTestSupport",
            mayImport: ["Security", "SecuritySecretService", "SecurityTestSupport"],
            reason: "the process that the tests kill does with secrets what an app does, and nothing else"),
        ImportRule(
            importer: "SecurityTestSupport", mayImport: ["Security"],
            reason: "the contract suite of secret stores must be usable without any other infrastructure"),
        ImportRule(
            importer: "Auth", mayImport: ["Diagnostics", "Networking", "Security"],
            reason: "a team that takes only Auth signs in to any GoTrue server and gets no server and no conversation "
                + "types"),
        ImportRule(
            importer: "AuthTestSupport",
            mayImport: [
                "Auth", "AuthEndpoints", "AuthServer", "AuthServerTestSupport", "Diagnostics", "Networking", "Security",
            ],
            reason: "the contract of signing in runs the client's half against the server's rules in one process"),
        ImportRule(
            importer: "AuthProbeTestSupport", mayImport: ["Auth", "Diagnostics", "Networking", "Security"],
            reason: "the processes that share a session, and are killed, do with it what an app does, and nothing else"),
        ImportRule(
            importer: "AuthServer", mayImport: ["Security"],
            reason: "the rules of signing in know no HTTP, no SQL and no mail: a server team brings its own"),
        ImportRule(
            importer: "AuthEndpoints", mayImport: ["AuthServer"],
            reason: "GoTrue's interface over the rules, whatever carries HTTP"),
        ImportRule(
            importer: "AuthServerTestSupport", mayImport: ["AuthServer", "Diagnostics"],
            reason: "the contract suite of auth stores must be usable without any other infrastructure"),
        ImportRule(
            importer: "AudioDSP", mayImport: [],
            reason: "signal processing is arithmetic on memory that the caller owns: it needs no device and no library"),
        ImportRule(
            importer: "AudioKitLinux",
            mayImport: ["AudioDSP", "CALSA", "CSndFile", "CSpeexDSP", "CZlib", "Diagnostics"],
            reason: "a team that takes only AudioKitLinux gets sound and no conversation types; mapping to Domain "
                + "belongs in DataLayer"),
        ImportRule(
            importer: "AudioStreamTestSupport",
            mayImport: ["AudioKitLinux", "CAudioStreamTestSupport", "Diagnostics", "TestKit"],
            reason: "the process that is counted and measured plays and records as an app does, and nothing else"),
        ImportRule(
            importer: "AudioKitLinuxTestSupport", mayImport: ["AudioKitLinux", "TestKit"],
            reason: "signals and comparisons that the tests of streams and of devices share"),
        ImportRule(
            importer: "SoundFileCrashTestSupport", mayImport: ["AudioKitLinux"],
            reason: "the process that the tests kill writes a sound file as an app does, and nothing else"),
        ImportRule(
            importer: "VoiceActivity", mayImport: ["AudioDSP"],
            reason: "who only wants to know when somebody speaks links no recogniser and no sound library"),
        ImportRule(
            importer: "Speech",
            mayImport: ["CPocketSphinx", "CFlite", "AudioDSP", "AudioKitLinux", "Diagnostics", "VoiceActivity"],
            reason: "a team that takes only Speech gets recognition and synthesis over sound, no storage and no "
                + "conversation types; mapping to Domain belongs in DataLayer"),
        ImportRule(
            importer: "SpeechEvaluation",
            mayImport: ["AudioDSP", "AudioKitLinux", "Diagnostics", "Speech", "VoiceActivity"],
            reason: "a server evaluates a recording with the same code as an app, so it knows neither cues nor storage"),
        ImportRule(
            importer: "StructuredJSON", mayImport: [],
            reason: "JSON values and schemas are computed from bytes and types, and need nothing of ours"),
        ImportRule(
            importer: "MCP", mayImport: ["Diagnostics", "Networking", "StructuredJSON"],
            reason: "a team that takes only MCP speaks to tool servers without a model"),
        ImportRule(
            importer: "Echo",
            mayImport: ["AudioDSP", "AudioKitLinux", "Diagnostics", "MCP", "Networking", "StructuredJSON"],
            testsMayImport: ["EchoSimulator", "HTTPServer"],
            reason: "a team that takes only Echo gets conversations with a model, and no storage, server or app"),
        ImportRule(
            importer: "EchoSimulator", mayImport: ["Diagnostics", "HTTPServer", "Networking", "StructuredJSON"],
            reason: "the simulator checks Echo's wire, so it shares none of Echo's types, only JSON"),
        ImportRule(
            importer: "DataLayer",
            mayImport: [
                "Domain", "AudioKitLinux", "Auth", "Diagnostics", "Networking", "Persistence", "Security", "Speech",
                "SpeechEvaluation", "VoiceActivity",
            ],
            reason: "DataLayer is where Domain meets infrastructure, through the packages' Swift interfaces: C "
                + "libraries stay with their owners and apps stay above"),
        ImportRule(
            importer: "ParleyServer",
            mayImport: [
                "AuthEndpoints", "AuthServer", "DataLayer", "Diagnostics", "Domain", "HTTPServer", "Networking",
                "Persistence", "Security", "SpeechEvaluation", "VoiceActivity",
            ],
            reason: "the reference server composes infrastructure, and speaks the client's wire types over the same "
                + "entities; conversations are the client's"),
        ImportRule(
            importer: "parley-server",
            mayImport: [
                "AudioKitLinux", "AuthServer", "DataLayer", "Diagnostics", "Domain", "EchoSimulator", "HTTPServer",
                "Networking", "ParleyServer", "Speech",
            ],
            reason: "the program reads a command line and starts the servers that tests start, too, and lends the "
                + "simulator ears and a voice"),
        ImportRule(
            importer: "DataLayerTestSupport",
            mayImport: ["AudioKitLinux", "DataLayer", "Domain", "DomainTestSupport", "Speech"],
            reason: "a virtual room with an assistant and a person in it"),
        ImportRule(
            importer: "BargeInTestSupport",
            mayImport: ["DataLayer", "DataLayerTestSupport", "Diagnostics", "Domain", "Speech", "VoiceActivity"],
            reason: "the measurement of barge-in uses the room, and engines as the app chooses them"),
        ImportRule(
            importer: "RecordingCrashTestSupport", mayImport: ["AudioKitLinux", "DataLayer", "Security"],
            reason: "the process that the tests kill records sealed files as an app does, and nothing else"),
        ImportRule(
            importer: "ListeningSoakTestSupport",
            mayImport: ["AudioKitLinux", "DataLayer", "Diagnostics", "Domain", "Speech", "VoiceActivity", "TestKit"],
            reason: "the process whose memory is watched composes what an app does to listen all day, and nothing else"),
        ImportRule(
            importer: "parley",
            mayImport: [
                "Auth", "Domain", "DataLayer", "AudioDSP", "AudioKitLinux", "DesktopNotifications", "Diagnostics",
                "Echo", "MCP", "Networking", "Persistence", "Security", "SecuritySecretService", "Speech",
                "StructuredJSON", "VoiceActivity",
            ],
            reason: "an app composes modules; it reaches a C library only through the module that owns it, and "
                + "nothing that ships needs test support"),
    ]

    /// Modules of the toolchain that anything may import.
    static let toolchain: Set<String> = ["FoundationEssentials", "Synchronization", "Dispatch", "Glibc"]

    /// Modules of the toolchain that only tests may import.
    static let toolchainForTests: Set<String> = ["Foundation", "FoundationXML", "Testing", "XCTest"]

    static let foundationReason =
        "importing Foundation loads ICU, which costs more start-up time than all else that parley does before "
        + "an answer (ADR 0007): use FoundationEssentials"

    static let unknownReason =
        "no third-party Swift package (ADR 0001); a new module of ours needs a row in ImportRule.table that says "
        + "who may import it and why"

    /// The modules that `file` imports, with their lines, counted from 1.
    static func imports(of file: RepositoryFile) -> [(module: String, line: Int)] {
        guard file.isSwift, !file.isManifest else { return [] }
        return file.codeLines.enumerated().compactMap { index, line in
            guard line.contains("import") else { return nil }
            var words = line.split(separator: " ").map(String.init).drop { word in
                word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
            }
            guard words.popFirst() == "import", var name = words.popFirst() else { return nil }
            let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            if kinds.contains(name) { name = words.popFirst() ?? "" }
            return (String(name.prefix { $0 != "." }), index + 1)
        }
    }

    /// Every import of `file` that the table bans.
    /// Tools under Scripts/ are packages of their own, which nothing that ships depends on: they may use what they like.
    static func violations(in file: RepositoryFile) -> [Violation] {
        if file.path.hasPrefix("Scripts/") { return [] }
        let imports = imports(of: file)
        let ours = Set(table.map(\.importer)).union(table.flatMap(\.mayImport))
        return imports.compactMap { module, line in
            func banned(_ finding: String, _ reason: String) -> Violation {
                Violation(path: file.path, line: line, finding: finding, reason: reason)
            }
            if toolchain.contains(module) || module == file.module { return nil }
            if toolchainForTests.contains(module) {
                if file.isTest { return nil }
                return banned("product code imports \(module)", foundationReason)
            }
            guard ours.contains(module) else { return banned("imports the unknown module \(module)", unknownReason) }
            if file.path.hasPrefix("Tests/") || file.path.contains("/Tests/") {
                return testViolation(module: module, file: file, line: line)
            }
            guard let rule = table.first(where: { $0.importer == file.module }) else {
                return banned("\(file.module) has no row in ImportRule.table", unknownReason)
            }
            // Who imports anything of ours may wait; what imports nothing stays pure.
            if module == "Concurrency", !rule.mayImport.isEmpty { return nil }
            return rule.mayImport.contains(module) ? nil : banned("\(rule.importer) imports \(module)", rule.reason)
        }
    }

    /// A package's tests may import what the package may, what their row says, and the test support of what they may
    /// import.
    private static func testViolation(module: String, file: RepositoryFile, line: Int) -> Violation? {
        guard file.path.hasPrefix("Packages/") else { return nil }
        let tested = file.module.hasSuffix("Tests") ? String(file.module.dropLast(5)) : file.module
        guard let rule = table.first(where: { $0.importer == tested }) else { return nil }
        let allowed = rule.mayImport.union(rule.testsMayImport).union([tested, "Concurrency", "TestKit"])
        if allowed.contains(module) || allowed.contains(where: { module == $0 + "TestSupport" }) { return nil }
        return Violation(
            path: file.path, line: line, finding: "the tests of \(tested) import \(module)",
            reason: rule.reason + ". Tests across packages live in Tests/")
    }
}
