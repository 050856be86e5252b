// SPDX-License-Identifier: MIT

import Foundation

/// One text file of the repository, or a sample that stands for one.
struct RepositoryFile: Sendable {
    /// The path from the repository's root, with forward slashes.
    let path: String
    let text: String
    /// The lines without comments and string literals; empty for what is not Swift.
    let codeLines: [String]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        codeLines = path.hasSuffix(".swift") ? SwiftCode(text).lines : []
    }

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var isSwift: Bool { path.hasSuffix(".swift") }
    var isManifest: Bool { name == "Package.swift" }

    /// Scripts carry no suffix; the folder says what they are.
    var isScript: Bool {
        (path.hasPrefix("Scripts/") || path.hasPrefix(".ci/")) && text.hasPrefix("#!")
    }

    /// Sources of a package that others link: neither tests nor what exists for tests.
    var isLibrary: Bool {
        path.hasPrefix("Packages/") && path.contains("/Sources/") && !isForTests
    }

    /// Everything that ships.
    var isProduct: Bool { isLibrary || path.hasPrefix("Apps/") }

    var isTest: Bool {
        path.hasPrefix("Tests/") || path.contains("/Tests/") || isForTests
    }

    /// Whether the file belongs to a module that exists for tests alone.
    private var isForTests: Bool { module == "TestKit" || module.hasSuffix("TestSupport") }

    /// Whether the file belongs to a package, and not to an app or to tests across packages.
    var isInPackage: Bool { path.hasPrefix("Packages/") }

    /// The package that the file belongs to, or an empty string.
    var package: String { isInPackage ? path.split(separator: "/").dropFirst().first.map(String.init) ?? "" : "" }

    /// The module that the file belongs to by its place, or an empty string.
    var module: String {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count > 2 else { return "" }
        switch parts[0] {
        case "Packages": return parts.count > 4 ? parts[3] : ""
        case "Apps", "Tests": return parts[1]
        default: return ""
        }
    }
}

extension StringProtocol {
    /// True if the bytes of `words` are in it; `contains` compares characters, which takes many times as long.
    func has(_ words: String) -> Bool {
        let words = Array(words.utf8)
        let found = utf8.withContiguousStorageIfAvailable { text in
            text.indices.dropLast(words.count - 1).contains { start in
                text[start] == words[0] && text[start...].starts(with: words)
            }
        }
        return found ?? contains(String(decoding: words, as: UTF8.self))
    }
}
