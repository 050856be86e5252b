// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Glibc
import TerminalKit

/// A piece of a text file between blank lines.
struct Paragraph: Equatable, Sendable {
    private static let fileLimit = 64_000_000
    /// The greatest length of a paragraph. A longer one is cut between lines, or within a longer line between words.
    static let longest = 4_000

    let file: String
    /// The number of the first line, from 1.
    let line: Int
    let text: String

    /// The paragraphs of a file.
    ///
    /// - Throws: `DomainError.file` if the file cannot be read, or is not text in UTF-8.
    static func read(_ path: String) throws -> [Paragraph] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        let bytes: [UInt8]?
        do { bytes = try InputStream(descriptor: descriptor).readBytes(limit: fileLimit) } catch { throw failure(path) }
        guard let bytes else { throw DomainError.file("\(path.printable) is larger than 64 MB. Search parts of it.") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DomainError.file("\(path.printable) is not text in UTF-8.")
        }
        return paragraphs(of: text, file: path)
    }

    /// The paragraphs of a text.
    static func paragraphs(of text: String, file: String) -> [Paragraph] {
        var result: [Paragraph] = []
        var pending: (line: Int, text: String)?
        func end() {
            if let (line, text) = pending { result.append(Paragraph(file: file, line: line, text: text)) }
            pending = nil
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            guard line.contains(where: { !$0.isWhitespace }) else {
                end()
                continue
            }
            for piece in pieces(of: line) {
                if let (_, text) = pending, text.utf8.count + piece.utf8.count > longest { end() }
                pending = pending.map { ($0.line, $0.text + "\n" + piece) } ?? (index + 1, piece)
            }
        }
        end()
        return result
    }

    private static func pieces(of line: Substring) -> [String] {
        guard line.utf8.count > longest else { return [String(line)] }
        var pieces = [""]
        for word in line.split(separator: " ") {
            var word = word
            while !word.isEmpty {
                let part = word.prefix(longest / 4)
                word = word.dropFirst(part.count)
                if pieces[pieces.count - 1].utf8.count + part.utf8.count >= longest { pieces.append("") }
                pieces[pieces.count - 1] += (pieces[pieces.count - 1].isEmpty ? "" : " ") + part
            }
        }
        return pieces
    }

    private static func failure(_ path: String) -> DomainError {
        .file("\(path.printable) cannot be read: \(String(cString: strerror(errno))).")
    }
}
