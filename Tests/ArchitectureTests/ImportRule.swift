// SPDX-License-Identifier: MIT

/// What a module never imports, with the reason. What it may import else, its package's manifest says; the manifests and the
/// sources are compared by ``DependencyGraph``.
struct ImportRule: Sendable {
    let name: String
    let reason: String
    /// Whether an import of `module` by `file` breaks the rule; `owners` has the package of each module of ours.
    private let isBroken: @Sendable (_ file: RepositoryFile, _ module: String, _ owners: [String: String]) -> Bool

    /// The packages that say what the product does, without any I/O.
    private static let pure: Set<String> = ["Domain", "StateKnowledge", "LocalIntents"]
    /// The packages in which the pure ones meet infrastructure.
    private static let meeting: Set<String> = ["Data", "ParleyServer"]
    /// The packages that every other one may import.
    private static let lowest: Set<String> = ["TestKit", "Concurrency", "DurableFiles", "Diagnostics", "LazyLibraries"]
    /// The modules that play and record sound, and those that say so in their README.
    private static let sounding: Set<String> = [
        "AudioKitLinux", "Speech", "SpeechEvaluation", "SealedRecordings", "DataVoice", "DataAssistant", "Echo",
    ]

    static let never: [ImportRule] = [
        ImportRule(
            name: "what the product does never imports how",
            reason:
                "rules and use cases must be tested and reused without any infrastructure: it belongs behind a port, in "
                + "Packages/Data"
        ) { file, module, owners in
            pure.contains(file.package) && !pure.contains(owners[module] ?? "") && !(file.isTest && module == "TestKit")
        },
        ImportRule(
            name: "infrastructure never imports what the product does",
            reason:
                "a team that takes one package gets no conversation types: mapping to Domain belongs in Packages/Data"
        ) { file, module, owners in
            file.isInPackage && pure.contains(owners[module] ?? "") && !pure.union(meeting).contains(file.package)
        },
        ImportRule(
            name: "the lowest packages never import one above them",
            reason: "every package imports them, so anything that they imported would be everyone's"
        ) { file, module, owners in
            lowest.contains(file.package) && !lowest.union([file.package]).contains(owners[module] ?? "")
        },
        ImportRule(
            name: "a C library is never imported outside the package that owns it",
            reason: "one package wraps it once; everybody else uses that package's Swift interface"
        ) { file, module, owners in
            module.isCModule && owners[module] != file.package
        },
        ImportRule(
            name: "a package never imports an app",
            reason: "apps compose packages, so what two of them need belongs in a package"
        ) { file, module, owners in
            file.isInPackage && owners[module] == ""
        },
        ImportRule(
            name: "what ships never imports what tests need",
            reason: "nobody who uses the product builds or links test support"
        ) { file, module, _ in
            !file.isTest && (module == "TestKit" || module.hasSuffix("TestSupport") || module.hasSuffix("Tests"))
        },
        ImportRule(
            name: "the relay imports the wire format of sync alone",
            reason: "it must have no code that could open what devices leave there"
        ) { file, module, owners in
            file.package == "ParleyServer" && !file.isTest && owners[module] == "Sync" && module != "SyncWire"
        },
        ImportRule(
            name: "a module without sound never imports one with it",
            reason: "who needs no microphone links no sound library"
        ) { file, module, _ in
            file.isLibrary && sounding.contains(module) && !sounding.contains(file.module)
        },
    ]

    /// Modules of the toolchain that anything may import.
    static let toolchain: Set<String> = ["FoundationEssentials", "Observation", "Synchronization", "Dispatch", "Glibc"]

    /// Modules of the toolchain that only tests may import.
    static let toolchainForTests: Set<String> = ["Foundation", "FoundationXML", "Testing", "XCTest"]

    static let foundationReason =
        "importing Foundation loads ICU, which costs more start-up time than all else that parley does before "
        + "an answer (ADR 0007): use FoundationEssentials"

    static let unknownReason =
        "no third-party Swift package (ADR 0001); after adding a module of ours, run Scripts/update-manifests"

    /// The modules that `file` imports, with their lines, counted from 1.
    static func imports(of file: RepositoryFile) -> [(module: String, line: Int)] {
        guard file.isSwift, !file.isManifest else { return [] }
        return file.codeLines.enumerated().compactMap { index, line -> (module: String, line: Int)? in
            guard line.has("import") else { return nil }
            var words = line.split(separator: " ").map(String.init).drop { word in
                word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
            }
            guard words.popFirst() == "import", var name = words.popFirst() else { return nil }
            let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            if kinds.contains(name) { name = words.popFirst() ?? "" }
            // A target's hyphen is its module's underscore: `import parley_server`.
            let module = String(name.prefix { $0 != "." })
            return (module.first == "_" ? module : module.replacing("_", with: "-"), index + 1)
        }
    }

    /// Every import of `file` that breaks a rule.
    ///
    /// Tools under Scripts/ are packages of their own, which nothing that ships depends on: they may use what they like.
    ///
    /// - Parameter owners: The package of each module of ours, by the module's name; empty for an app's.
    static func violations(in file: RepositoryFile, owners: [String: String]) -> [Violation] {
        if file.path.hasPrefix("Scripts/") { return [] }
        return imports(of: file).flatMap { module, line -> [Violation] in
            func violation(_ finding: String, _ reason: String) -> Violation {
                Violation(path: file.path, line: line, finding: finding, reason: reason)
            }
            if toolchain.contains(module) || module == file.module { return [] }
            if toolchainForTests.contains(module) {
                return file.isTest ? [] : [violation("product code imports \(module)", foundationReason)]
            }
            guard owners[module] != nil else {
                return [violation("imports the unknown module \(module)", unknownReason)]
            }
            return never.filter { $0.isBroken(file, module, owners) }
                .map { violation("imports \(module): \($0.name)", $0.reason) }
        }
    }

    /// The package of each module of ours, from where the sources lie; empty for an app's and a test's.
    static func owners(_ files: [RepositoryFile]) -> [String: String] {
        var owners: [String: String] = [:]
        for file in files where !file.module.isEmpty { owners[file.module] = file.package }
        return owners
    }
}

extension String {
    /// Whether it is the name of a module of C: a C, and another capital.
    fileprivate var isCModule: Bool { first == "C" && dropFirst().first?.isUppercase == true }
}
