// SPDX-License-Identifier: MIT

import Foundation

/// The working tree that this test was built from.
struct Repository: Sendable {
    let files: [RepositoryFile]

    /// Text files by these suffixes are read; scripts are read whatever their name.
    private static let suffixes = [
        ".swift", ".md", ".txt", ".svg", ".json", ".h", ".c", ".modulemap", ".yml", ".yaml", ".service", ".timer",
    ]

    private static let tree = Result { try read() }

    /// The tree below the folder three levels above this file, read once. Hidden folders (build products) are left
    /// out, but not `.ci`.
    static func here() throws -> Repository { try tree.get() }

    private static func read(_ file: String = #filePath) throws -> Repository {
        let root = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var files: [RepositoryFile] = []
        for top in try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
        where top == ".ci" || !top.hasPrefix(".") && top != "out" {
            try collect(top, root: root, into: &files)
        }
        return Repository(files: files)
    }

    private static func collect(_ path: String, root: URL, into files: inout [RepositoryFile]) throws {
        let url = root.appendingPathComponent(path)
        let values = try url.resourceValues(forKeys: [.isDirectoryKey, .isRegularFileKey])
        if values.isDirectory == true {
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
            where !name.hasPrefix(".") && name != "__pycache__" {
                try collect(path + "/" + name, root: root, into: &files)
            }
        } else if path.hasSuffix(".png") {
            // A picture has no text, and a document may show it.
            files.append(RepositoryFile(path: path, text: ""))
        } else if values.isRegularFile == true, isText(path) {
            files.append(RepositoryFile(path: path, text: try String(contentsOf: url, encoding: .utf8)))
        }
    }

    /// Seeds of the fuzzers are bytes, whatever they are called.
    private static func isText(_ path: String) -> Bool {
        if path.hasPrefix("Scripts/fuzz.d/seeds/") { return false }
        let name = path.split(separator: "/").last ?? ""
        return suffixes.contains(where: path.hasSuffix) || !name.contains(".") || path.hasPrefix(".ci/")
    }

    func file(_ path: String) -> RepositoryFile? { files.first { $0.path == path } }
}
