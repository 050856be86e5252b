// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// The operator's own words for mails: files in a folder. A kind of mail without a file has the built-in words.
///
/// Of each kind (`sign-in`, `invitation`) there are `KIND.subject.txt`, `KIND.txt` and, if wanted, `KIND.html`.
public struct MailTemplates: Sendable {
    struct Texts: Sendable {
        let subject: MailTemplate
        let text: MailTemplate
        let html: MailTemplate?
    }

    /// The most bytes of a file.
    private static let limit = 64 << 10
    private static let subjectLimit = 200

    let kinds: [SignInMail.Kind: Texts]

    /// The built-in words only.
    public init() { kinds = [:] }

    /// Reads a folder and checks every file in it.
    ///
    /// - Throws: ``MailTemplateError``.
    public init(folder: String) throws(MailTemplateError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw MailTemplateError(folder, 1, "The folder cannot be listed. Check path and permissions.")
        }
        let known = SignInMail.Kind.allCases.flatMap { kind in Self.files(of: kind) }
        for name in names where (name.hasSuffix(".txt") || name.hasSuffix(".html")) && !known.contains(name) {
            throw MailTemplateError(
                "\(folder)/\(name)", 1, "No mail uses a file of this name; there are \(known.joined(separator: ", ")).")
        }
        var kinds: [SignInMail.Kind: Texts] = [:]
        for kind in SignInMail.Kind.allCases {
            let files = Self.files(of: kind)
            guard names.contains(where: { files.contains($0) }) else { continue }
            for file in files.dropLast() where !names.contains(file) {
                throw MailTemplateError(
                    "\(folder)/\(file)", 1, "The file is missing; a mail needs a subject and a text.")
            }
            kinds[kind] = Texts(
                subject: try Self.read(folder, files[0], isSubject: true), text: try Self.read(folder, files[1]),
                html: names.contains(files[2]) ? try Self.read(folder, files[2]) : nil)
        }
        self.kinds = kinds
    }

    private static func files(of kind: SignInMail.Kind) -> [String] {
        ["\(kind.rawValue).subject.txt", "\(kind.rawValue).txt", "\(kind.rawValue).html"]
    }

    private static func read(
        _ folder: String, _ name: String, isSubject: Bool = false
    ) throws(MailTemplateError) -> MailTemplate {
        let path = "\(folder)/\(name)"
        guard DiskSpace.size(of: path) <= limit else {
            throw MailTemplateError(path, 1, "The file is longer than 64 KiB.")
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw MailTemplateError(path, 1, "The file cannot be read. Check the permissions.")
        }
        if let bad = bytes.firstIndex(where: { $0 < 0x20 && ![9, 10, 13].contains($0) }) {
            let line = 1 + bytes[..<bad].count { $0 == 10 }
            throw MailTemplateError(path, line, "The line has a control character.")
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw MailTemplateError(path, 1, "The file is not UTF-8.")
        }
        text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        if isSubject {
            if text.hasSuffix("\n") { text.removeLast() }
            guard !text.contains("\n") else { throw MailTemplateError(path, 2, "A subject is one line.") }
            guard !text.isEmpty, text.count <= subjectLimit else {
                throw MailTemplateError(path, 1, "A subject has 1 to \(subjectLimit) characters.")
            }
        }
        let template: MailTemplate
        do throws(MailTemplate.Mistake) {
            template = try MailTemplate(text)
        } catch {
            throw MailTemplateError(path, error.line, error.reason)
        }
        let last = 1 + text.utf8.count { $0 == 10 }
        if isSubject {
            guard template.names.isSubset(of: [.server]) else {
                throw MailTemplateError(path, 1, "A subject takes {{server}} only: it is shown on locked screens.")
            }
        } else {
            for name in [MailTemplate.Name.link, .code] where !template.names.contains(name) {
                throw MailTemplateError(
                    path, last, "{{\(name.rawValue)}} is missing: without it the mail is of no use.")
            }
        }
        return template
    }
}

/// A mistake in a file of ``MailTemplates``.
public struct MailTemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public let file: String
    /// The line, from 1 on.
    public let line: Int
    /// The mistake and its remedy.
    public let reason: String

    init(_ file: String, _ line: Int, _ reason: String) {
        (self.file, self.line, self.reason) = (file, line, reason)
    }

    /// File, line and mistake, as compilers write them.
    public var description: String { "\(file):\(line): \(reason)" }
}
