// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A folder of golden texts: what the program shows, as files that tests compare with what it shows now.
///
/// One test makes all texts of a folder, so that a file that no test makes is found. `Scripts/test --update-snapshots` sets
/// `PARLEY_UPDATE_SNAPSHOTS`: the differences are printed, then the folder is written.
public struct SnapshotFolder: Sendable {
    private let folder: URL

    /// - Parameter path: The path from the repository's root, or an absolute one.
    public init(_ path: String) {
        folder = URL(filePath: path.hasPrefix("/") ? path : GeneratedFile.root + "/" + path)
    }

    /// Compares the files with the texts.
    ///
    /// - Parameters:
    ///   - texts: The text of each file by its name without `.txt`.
    ///   - updates: True to print the differences, to write the files that differ, and to remove those without a text. Nil leaves it
    ///     to the environment.
    /// - Returns: The differences as text; empty if there is none, or if the folder was written.
    /// - Throws: An error of Foundation if a file cannot be read or written.
    public func differences(
        from texts: [String: String], updates: Bool? = nil
    ) throws -> String {
        let updates = updates ?? (ProcessInfo.processInfo.environment["PARLEY_UPDATE_SNAPSHOTS"] != nil)
        let golden = try files()
        var report = ""
        for name in Set(golden.keys).union(texts.keys).sorted() where golden[name] != texts[name] {
            let reason = texts[name] == nil ? " is used by no test" : golden[name] == nil ? " is new" : ""
            report += "--- \(name).txt\(reason)\n" + Self.difference(golden[name] ?? "", texts[name] ?? "")
        }
        guard updates, !report.isEmpty else { return report }
        print(report)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in golden.keys where texts[name] == nil {
            try FileManager.default.removeItem(at: folder.appending(path: name + ".txt"))
        }
        for (name, text) in texts where golden[name] != text {
            try Data(text.utf8).write(to: folder.appending(path: name + ".txt"), options: .atomic)
        }
        return ""
    }

    /// The text of each file by its name without `.txt`; empty without the folder.
    public func files() throws -> [String: String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [:] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: [:]) { files, name in
            guard name.hasSuffix(".txt") else { return }
            files[String(name.dropLast(4))] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
    }

    /// A text of sections, each under the titles of all that are equal to it: `=== TITLE`. What is invisible has a sign: `␛` for
    /// Escape, `␍` for a carriage return, `⟨` and `⟩` for isolates, `⟪` and `⟫` around the words of en-XB.
    public static func text(_ sections: [(title: String, lines: [String])]) -> String {
        var (order, titles) = ([[String]](), [[String]: [String]]())
        for section in sections {
            if titles[section.lines] == nil { order.append(section.lines) }
            titles[section.lines, default: []].append(section.title)
        }
        return order.map { lines in
            ((titles[lines] ?? []).map { mark + $0 } + lines.map(visible)).map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    /// The sections of a text that ``text(_:)`` made.
    public static func sections(of text: String) -> [(title: String, lines: [String])] {
        var (result, titles, lines) = ([(title: String, lines: [String])](), [String](), [String]())
        func flush() {
            if lines.last == "" { lines.removeLast() }
            result += titles.map { ($0, lines) }
            (titles, lines) = ([], [])
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() + [mark[...]] {
            if line.hasPrefix(mark) {
                if !lines.isEmpty { flush() }
                titles.append(String(line.dropFirst(mark.count)))
            } else {
                lines.append(signs.reduce(String(line)) { $0.replacing($1.sign, with: $1.text) })
            }
        }
        return result
    }

    private static let mark = "=== "
    private static let signs: [(text: String, sign: String)] = [
        ("\u{200F}\u{202E}", "⟪"), ("\u{202C}\u{200F}", "⟫"), ("\u{2068}", "⟨"), ("\u{2069}", "⟩"), ("\u{1B}", "␛"),
        ("\r", "␍"),
    ]

    private static func visible(_ line: String) -> String {
        // By scalars: a format character may join the one before it.
        signs.reduce(line) { line, sign in
            let pieces = Array(line.unicodeScalars).split(
                separator: Array(sign.text.unicodeScalars), omittingEmptySubsequences: false)
            return pieces.map { String(String.UnicodeScalarView($0)) }.joined(separator: sign.sign)
        }
    }

    /// The lines that only one of the texts has, each group of them behind the number of its line and the title above it.
    private static func difference(_ old: String, _ new: String) -> String {
        let (old, new) = (lines(old), lines(new))
        let changes = new.difference(from: old)
        let (removed, inserted) = (offsets(changes.removals), offsets(changes.insertions))
        var (before, after, title, isInside, report) = (0, 0, "", false, "")
        while before < old.count || after < new.count {
            let isRemoved = removed.contains(before), isInserted = inserted.contains(after)
            if (isRemoved || isInserted) && !isInside { report += "@@ line \(after + 1) \(title)\n" }
            isInside = isRemoved || isInserted
            if isRemoved {
                report += "-\(old[before])\n"
                before += 1
            } else {
                if isInserted { report += "+\(new[after])\n" } else { before += 1 }
                if new[after].hasPrefix(mark) { title = new[after] }
                after += 1
            }
        }
        return report
    }

    private static func offsets(_ changes: [CollectionDifference<String>.Change]) -> Set<Int> {
        Set(
            changes.map { change in
                switch change {
                case .insert(let offset, _, _), .remove(let offset, _, _): offset
                }
            })
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
