// SPDX-License-Identifier: MIT

/// Rules for Markdown: links, the README's length, and how code is marked.
enum DocumentRule {
    static let readmeWordLimit = 900

    /// Relative links to a file, folder or heading that does not exist.
    static func brokenLinks(_ files: [RepositoryFile]) -> [Violation] {
        var folders: Set<String> = []
        var documents: [String: RepositoryFile] = [:]
        for file in files {
            documents[file.path] = file
            var parts = file.path.split(separator: "/").dropLast()
            while !parts.isEmpty {
                folders.insert(parts.joined(separator: "/"))
                parts.removeLast()
            }
        }
        return files.filter(\.isDocument).flatMap { file in
            prose(of: file).flatMap { line in
                line.text.matches(of: /\]\(([^()\s]+)\)/).compactMap { match -> Violation? in
                    let link = String(match.1)
                    if link.contains("://") || link.hasPrefix("mailto:") { return nil }
                    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                    let path = parts[0].isEmpty ? file.path : resolved(String(parts[0]), from: file.path)
                    guard documents[path] != nil || folders.contains(path) else {
                        return violation(file, line.number, "links to \(link), which does not exist")
                    }
                    guard parts.count == 2, let target = documents[path], target.isDocument else { return nil }
                    if anchors(of: target).contains(String(parts[1])) { return nil }
                    return violation(file, line.number, "links to \(link), a heading that does not exist")
                }
            }
        }
    }

    private static func violation(_ file: RepositoryFile, _ line: Int, _ finding: String) -> Violation {
        Violation(path: file.path, line: line, finding: finding, reason: "a reader follows it and finds nothing")
    }

    /// A README of more words than a newcomer reads.
    static func longReadme(_ files: [RepositoryFile]) -> [Violation] {
        files.filter { $0.path == "README.md" }.compactMap { file in
            let count = file.text.split(whereSeparator: \.isWhitespace).count
            guard count > readmeWordLimit else { return nil }
            return Violation(
                path: file.path, finding: "\(count) words",
                reason: "a newcomer reads \(readmeWordLimit): move details to docs/ and link to them")
        }
    }

    /// Blocks of Swift that are neither a program nor marked as a part of one.
    static func unmarkedCode(_ files: [RepositoryFile]) -> [Violation] {
        files.filter { $0.isDocument && $0.path.hasSuffix("README.md") }.flatMap { file in
            blocks(of: file).compactMap { block in
                let isProgram = block.lines.contains { $0.firstMatch(of: /^(@testable |public )?import \w/) != nil }
                guard block.mark == "swift", !isProgram else { return nil }
                return Violation(
                    path: file.path, line: block.number, finding: "a swift block without an import",
                    reason: "Scripts/readme-programs compiles swift blocks as programs: complete it, or mark it "
                        + "```swift fragment")
            }
        }
    }

    /// Lines outside code blocks, without code spans, numbered from 1.
    private static func prose(of file: RepositoryFile) -> [(number: Int, text: String)] {
        var isCode = false
        return file.lines.enumerated().compactMap { index, line in
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
                return nil
            }
            return isCode ? nil : (number: index + 1, text: String(line.replacing(/`[^`]*`/, with: "")))
        }
    }

    private static func blocks(of file: RepositoryFile) -> [(mark: String, number: Int, lines: [Substring])] {
        var found: [(mark: String, number: Int, lines: [Substring])] = []
        var isCode = false
        for (index, line) in file.lines.enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
                if isCode { found.append((line.drop { $0 == " " || $0 == "`" }.description, index + 1, [])) }
            } else if isCode {
                found[found.count - 1].lines.append(line)
            }
        }
        return found
    }

    /// The path of a link, from the repository's root.
    private static func resolved(_ link: String, from file: String) -> String {
        var parts = file.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }

    /// The anchors that hosts of Git make of headings.
    private static func anchors(of file: RepositoryFile) -> Set<String> {
        var isCode = false
        return Set(
            file.lines.compactMap { line in
                if line.hasPrefix("```") { isCode.toggle() }
                guard !isCode, line.hasPrefix("#") else { return nil }
                let heading = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
                return heading.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
            })
    }
}

extension RepositoryFile {
    fileprivate var isDocument: Bool { path.hasSuffix(".md") && !path.contains(".docc/") }
}
