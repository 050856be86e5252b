// SPDX-License-Identifier: MIT

/// What holds for files as wholes: length, licence line, names, and what each package must have.
enum FileRule {
    static let lineLimit = 500

    /// Files of code longer than the limit. Tables are data, and their name says so; so is the root's manifest, which is
    /// generated from those of the packages.
    static func tooLong(_ files: [RepositoryFile]) -> [Violation] {
        files.filter { $0.isSwift || $0.isScript }.compactMap { file in
            let count = file.lines.count
            guard count > lineLimit, !file.name.contains("Table"), file.path != "Package.swift" else { return nil }
            return Violation(
                path: file.path, finding: "\(count) lines",
                reason: "nobody reads a file of more than \(lineLimit) lines: split it by topic, or, if it is a table, "
                    + "name it so")
        }
    }

    /// Swift files whose licence header is not exactly the one short line.
    static func wrongLicence(_ files: [RepositoryFile]) -> [Violation] {
        files.filter { $0.isSwift && !$0.isManifest }.compactMap { file in
            let lines = file.lines
            let header = lines.prefix { $0.hasPrefix("//") && !$0.hasPrefix("///") }
            let isRight = lines.first == "// SPDX-License-Identifier: MIT" && header.count == 1
            if isRight { return nil }
            return Violation(
                path: file.path, line: 1, finding: "the licence header is not one line",
                reason: "the first line is `// SPDX-License-Identifier: MIT`, then an empty line; the licence itself "
                    + "stands once, in LICENSE")
        }
    }

    /// Names under which unrelated things gather.
    static func junkDrawers(_ files: [RepositoryFile]) -> [Violation] {
        let names = ["Helper", "Helpers", "Util", "Utils", "Utilities", "Common", "Misc", "Impl"]
        return files.filter(\.isSwift).compactMap { file in
            let parts = file.path.dropLast(".swift".count).split(separator: "/").map(String.init)
            guard let name = parts.first(where: { part in names.contains { part == $0 || part.hasSuffix("+" + $0) } })
            else { return nil }
            return Violation(
                path: file.path, finding: "is called \(name)",
                reason: "a name that fits anything gathers everything: name the file by its one type or topic")
        }
    }

    /// Packages that lack a manifest, a README or a test.
    static func incompletePackages(_ files: [RepositoryFile]) -> [Violation] {
        let paths = files.map(\.path)
        let packages = Set(paths.filter { $0.hasPrefix("Packages/") }.compactMap { $0.split(separator: "/")[1] })
        return packages.sorted().flatMap { package -> [Violation] in
            let folder = "Packages/\(package)/"
            var missing: [String] = []
            if !paths.contains(folder + "Package.swift") { missing.append("Package.swift") }
            if !paths.contains(folder + "README.md") { missing.append("README.md") }
            let hasTest = files.contains {
                $0.path.hasPrefix(folder + "Tests/") && $0.isSwift && $0.text.contains("@Test")
            }
            if !hasTest { missing.append("test") }
            return missing.map { what in
                Violation(
                    path: folder, finding: "has no \(what)",
                    reason: "a team takes one folder: it must build, explain and prove itself")
            }
        }
    }
}
