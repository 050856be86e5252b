// SPDX-License-Identifier: MIT

import CQRencode
import CQRencodeCalls
import Glibc

/// A text as a QR code (ISO/IEC 18004), made by libqrencode.
public struct QRCode: Sendable, Hashable {
    /// The share of the code that may be covered or misread.
    public enum Correction: Sendable, CaseIterable {
        /// About 7%: the smallest code, for a screen.
        case low
        /// About 15%.
        case medium
        /// About 25%.
        case quartile
        /// About 30%.
        case high
    }

    /// The modules from the top to the bottom and from the left to the right: true is dark. A square of 21 to 177, without
    /// the quiet zone.
    public let rows: [[Bool]]

    /// The smallest code of a text in UTF-8.
    ///
    /// - Throws: ``QRCodeError``.
    public init(_ text: String, correction: Correction = .low) throws(QRCodeError) {
        if let reason = cqrencode_load() {
            throw QRCodeError(code: .libraryMissing, message: String(cString: reason))
        }
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, let count = Int32(exactly: bytes.count) else { throw .tooLong(bytes.count) }
        errno = 0
        guard let code = QRcode_encodeData(count, bytes, 0, correction.level) else {
            throw errno == ERANGE ? .tooLong(bytes.count) : .noMemory
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { throw .noMemory }
        // The lowest bit of each byte is the colour; the others say what the module is for.
        rows = (0..<width).map { row in (0..<width).map { modules[row * width + $0] & 1 == 1 } }
    }
}

extension QRCode.Correction {
    fileprivate var level: QRecLevel {
        switch self {
        case .low: QR_ECLEVEL_L
        case .medium: QR_ECLEVEL_M
        case .quartile: QR_ECLEVEL_Q
        case .high: QR_ECLEVEL_H
        }
    }
}

/// The error of a text that cannot become a code.
public struct QRCodeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; more codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// libqrencode is not installed; the message names its package.
        public static let libraryMissing = Code(rawValue: "libraryMissing")
        /// The text is empty, or has more bytes than a code of this correction holds: 2,953 at most.
        public static let tooLong = Code(rawValue: "tooLong")
        /// There is no memory left.
        public static let noMemory = Code(rawValue: "noMemory")
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and its remedy.
    public let message: String

    /// The message.
    public var description: String { message }

    static func tooLong(_ count: Int) -> QRCodeError {
        QRCodeError(
            code: .tooLong,
            message: count == 0
                ? "An empty text has no QR code." : "A text of \(count) bytes does not fit into a QR code. Shorten it.")
    }

    static let noMemory = QRCodeError(code: .noMemory, message: "There is no memory for a QR code. Close something.")
}
