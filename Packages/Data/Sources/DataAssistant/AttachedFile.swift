// SPDX-License-Identifier: MIT

import Echo
import FoundationEssentials

/// A file that a question to a model has with it.
public struct AttachedFile: Sendable, Equatable {
    /// The kinds of files that can be attached.
    public enum Kind: Sendable, Equatable {
        /// Text in UTF-8.
        case text
        /// A picture of a media type.
        case image(String)
        /// A PDF document.
        case pdf

        /// The greatest size in bytes.
        public var limit: Int {
            switch self {
            case .text: 1_000_000
            case .image: 20_000_000
            case .pdf: 32_000_000
            }
        }

        /// The kind of a content; nil if it cannot be attached. Pictures and PDF are known by their first bytes.
        public init?(_ bytes: [UInt8]) {
            func begins(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .image("image/png")
            } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .image("image/jpeg")
            } else if begins("GIF87a") || begins("GIF89a") {
                self = .image("image/gif")
            } else if begins("RIFF"), begins("WEBP", at: 8) {
                self = .image("image/webp")
            } else if begins("%PDF-") {
                self = .pdf
            } else if !bytes.isEmpty, !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil {
                self = .text
            } else {
                return nil
            }
        }
    }

    /// The greatest size of all files of a question together, in bytes.
    public static let totalLimit = 50_000_000

    /// The file's name without its folder.
    public let name: String
    /// Its kind.
    public let kind: Kind
    /// Its content.
    public let bytes: [UInt8]

    /// A file's content.
    ///
    /// - Throws: ``AttachmentError``.
    public init(name: String, bytes: [UInt8]) throws(AttachmentError) {
        guard let kind = Kind(bytes) else { throw .unknownKind(name) }
        guard bytes.count <= kind.limit else { throw .tooLarge(name, limit: kind.limit) }
        (self.name, self.kind, self.bytes) = (name, kind, bytes)
    }

    /// "photo.png (image/png, 12 kB)".
    public var words: String {
        let type =
            switch kind {
            case .text: "text"
            case .image(let type): type
            case .pdf: "PDF"
            }
        return "\(name) (\(type), \(bytes.count < 1_000 ? "\(bytes.count) bytes" : "\(bytes.count / 1_000) kB"))"
    }

    /// The part of a message.
    fileprivate var part: ContentPart {
        switch kind {
        case .text: .inputText("\n\nThe file \(name):\n\n\(String(decoding: bytes, as: UTF8.self))")
        case .image(let type): .inputImage(url: dataURL(type))
        case .pdf: .inputFile(name: name, data: dataURL("application/pdf"), fileID: nil, url: nil)
        }
    }

    private func dataURL(_ type: String) -> String { "data:\(type);base64,\(Data(bytes).base64EncodedString())" }
}

extension [AttachedFile] {
    /// The message of the person that has these files; the question follows.
    var message: ResponseItem {
        let names = map(\.words).joined(separator: ", ")
        return .message(MessageItem(role: .user, content: [.inputText("I attach \(names).")] + map(\.part)))
    }

    /// Refuses what a model cannot take, and too much at once.
    ///
    /// - Throws: ``AttachmentError``.
    func check(for model: String) throws(AttachmentError) {
        if let image = first(where: { if case .image = $0.kind { true } else { false } }), ImageModels.refuses(model) {
            throw .noImages(image.name, model: model)
        }
        guard reduce(0, { $0 + $1.bytes.count }) <= AttachedFile.totalLimit else {
            throw .tooMuch(limit: AttachedFile.totalLimit)
        }
    }
}

/// The reasons for which a file is not attached.
public enum AttachmentError: Error, Equatable {
    /// The file, by its name, is of no kind that can be attached.
    case unknownKind(String)
    /// The file is larger than its kind may be, in bytes.
    case tooLarge(String, limit: Int)
    /// The files are larger together than the limit, in bytes.
    case tooMuch(limit: Int)
    /// The model reads no pictures.
    case noImages(String, model: String)
    /// The local assistant, which reads no files.
    case noModel
    /// A conversation by voice.
    case byVoice
    /// The server refused the question that had files: the model, and the server's words.
    case refused(model: String, String)

    /// The stable code, for programs.
    public var code: String {
        switch self {
        case .unknownKind: "kind"
        case .tooLarge, .tooMuch: "size"
        case .noImages: "noImages"
        case .noModel: "noModel"
        case .byVoice: "byVoice"
        case .refused: "refused"
        }
    }
}

/// The known models that read no pictures. Any other model is sent them, and the server decides.
enum ImageModels {
    /// True if the model is known to read no pictures.
    static func refuses(_ model: String) -> Bool {
        let name = model.lowercased().split(separator: "/").last.map(String.init) ?? model.lowercased()
        if ["vision", "-vl", "2.5vl", "llava", "omni"].contains(where: name.contains) { return false }
        if !ResponsesModel(rawValue: model).acceptsImages { return true }
        return textOnly.contains { name.hasPrefix($0) }
    }

    /// The beginnings of the names, in lower case, without the owner before a slash.
    private static let textOnly = [
        "codellama", "deepseek-chat", "deepseek-coder", "deepseek-r1", "deepseek-v3", "gpt-3.5", "gpt-oss", "llama2",
        "llama-2", "llama3:", "llama-3-", "llama3.1", "llama-3.1", "llama3.2", "llama-3.2", "llama3.3", "llama-3.3",
        "mistral:", "mistral-7b", "mixtral", "o1-mini", "o3-mini", "phi3", "phi-3-mini", "phi4", "qwen2.5", "qwen3",
        "starcoder", "tinyllama",
    ]
}
