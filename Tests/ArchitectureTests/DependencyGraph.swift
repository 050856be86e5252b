// SPDX-License-Identifier: MIT

/// The committed graph, docs/dependencies.txt, and what the imports in the sources say about it.
struct DependencyGraph {
    static let path = "docs/dependencies.txt"

    /// Section → module → what it depends on directly.
    private(set) var sections: [String: [String: Set<String>]] = [:]

    /// Reads `[section]` lines and `name: a b c` lines; `#` starts a comment.
    init(_ text: String) {
        var section = ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = String(line.dropFirst().dropLast())
            } else if let colon = line.firstIndex(of: ":") {
                let names = line[line.index(after: colon)...].split(separator: " ").map(String.init)
                sections[section, default: [:]][String(line[..<colon])] = Set(names)
            }
        }
    }

    private static let reason =
        "the graph is committed so that a change of it shows in review: after changing the manifests, run "
        + "Scripts/update-manifests"

    /// Where the sources import other things than the graph says: both ways for what ships, and for tests whatever
    /// they import without declaring it.
    func violations(in files: [RepositoryFile]) -> [Violation] {
        let shipping = (sections["modules"] ?? [:]).merging(sections["executables"] ?? [:]) { first, _ in first }
        let tests = sections["tests"] ?? [:]
        let cModules = Set((sections["system libraries"] ?? [:]).keys)
        let ours = cModules.union(shipping.keys).union(tests.keys)

        var imported: [String: Set<String>] = [:]
        for file in files where file.isSwift && !file.module.isEmpty && !file.isManifest {
            let names = ImportRule.imports(of: file).map(\.module).filter { ours.contains($0) && $0 != file.module }
            imported[file.module, default: []].formUnion(names)
        }
        func violation(_ finding: String) -> Violation {
            Violation(path: Self.path, finding: finding, reason: Self.reason)
        }
        var result: [Violation] = []
        for (module, names) in imported.sorted(by: { $0.key < $1.key }) where !module.isEmpty {
            guard let listed = shipping[module] ?? tests[module] else {
                result.append(violation("does not list the module \(module)"))
                continue
            }
            for name in names.subtracting(listed).sorted() {
                result.append(violation("\(module) imports \(name), which is not listed as its dependency"))
            }
            guard shipping[module] != nil else { continue }
            for name in listed.subtracting(names).sorted() {
                result.append(
                    violation("\(module) is listed as depending on \(name), but imports it nowhere: drop it"))
            }
        }
        let inC = files.filter { $0.path.hasSuffix(".c") }.map(\.module)
        for module in ours.subtracting(imported.keys).subtracting(cModules).subtracting(inC).sorted() {
            result.append(violation("lists \(module), of which there is no source"))
        }
        return result
    }
}
