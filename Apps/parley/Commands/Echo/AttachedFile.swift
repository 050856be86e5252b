// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataAssistant
import Domain
import TerminalKit

extension AttachedFile {
    /// Reads a file.
    ///
    /// - Throws: ``AttachmentError``, or `DomainError.file` if it cannot be read.
    init(path: String) throws {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let bytes = try InputFile.bytes(of: path, limit: Kind.pdf.limit) else {
            throw AttachmentError.tooLarge(name, limit: Kind.pdf.limit)
        }
        try self.init(name: name, bytes: bytes)
    }
}

extension AttachmentError {
    /// One or two sentences for a person.
    var sentence: Sentence {
        switch self {
        case .unknownKind(let name):
            "\(name.printable) cannot be attached. \(Self.kinds)"
        case .tooLarge(let name, let limit):
            "\(name.printable) is larger than \(limit / 1_000_000) MB. \(Self.kinds)"
        case .tooMuch(let limit):
            "The files are larger than \(limit / 1_000_000) MB together. Attach fewer."
        case .noImages(let name, let model):
            "\(model.printable) reads no pictures, so \(name.printable) is not attached. Use another model: --model NAME."
        case .noModel: "The local assistant reads no files. Omit --offline to ask a model."
        case .byVoice: "Files are attached in text. First /text."
        case .refused(let model, let words):
            "The server refused the question with its files; \(model.printable) may not read such files. The server says: "
                + "\(ForeignText.short(words, limit: 300))"
        }
    }

    private static let kinds: Sentence =
        "Possible are text in UTF-8 (1 MB), pictures in PNG, JPEG, GIF and WebP (20 MB), and PDF (32 MB)."
}
