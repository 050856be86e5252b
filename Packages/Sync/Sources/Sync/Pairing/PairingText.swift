// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Security

/// The line to paste on a new device, and the content of the QR code: the place and the pairing's code.
///
/// `parley:` and base64url (RFC 4648 §5) of a version, the number of bytes in all, the place, the code and the first four
/// bytes of the SHA-256 of what comes before them. It has no password: the person gives that to the new device.
public struct PairingText: Sendable {
    /// The beginning of every such text.
    public static let prefix = "parley:"
    /// The most bytes of a place's description.
    public static let placeByteLimit = 1_000
    private static let version: UInt64 = 1
    private static let checksumByteCount = 4

    /// The place: `folder` for one whose path differs from device to device, or a URL without password, query and
    /// fragment.
    public let place: String
    /// The code.
    public let code: PairingCode

    /// A text for a place and a code.
    ///
    /// - Parameter place: `folder` or a URL. A password in it, a query and a fragment are left out.
    /// - Throws: ``SyncError`` with the code `tooLarge` for a place of more than ``placeByteLimit`` bytes.
    public init(place: String, code: PairingCode) throws(SyncError) {
        self.place = Self.withoutSecrets(place)
        self.code = code
        guard self.place.utf8.count <= Self.placeByteLimit else {
            throw SyncError(code: .tooLarge, message: "The place's address is too long for a text to paste.")
        }
    }

    /// Reads a text that a person pasted; white space in it does not matter.
    ///
    /// - Throws: ``SyncError`` with the code `mistyped`, whose message says what is wrong, or `newer` for a text of a
    ///   later version.
    public init(reading text: some StringProtocol) throws(SyncError) {
        let characters = String(text.filter { !$0.isWhitespace })
        guard characters.lowercased().hasPrefix(Self.prefix) else {
            throw .mistyped("This is no text of Parley's. It begins with “\(Self.prefix)”.")
        }
        let digits = characters.dropFirst(Self.prefix.count)
        guard digits.utf8.count <= 2 * Self.placeByteLimit else {
            throw .mistyped("This is too long for a text of Parley's. Copy the one line that begins with parley:.")
        }
        if let wrong = digits.firstIndex(where: { !($0.isASCII && ($0.isLetter || $0.isNumber) || "-_".contains($0)) })
        {
            let position = characters.distance(from: characters.startIndex, to: wrong) + 1
            throw .mistyped("Character \(position), “\(digits[wrong])”, does not belong in the text.")
        }
        // One digit alone is no byte: the rest of the text says that it is cut off.
        let whole = digits.count % 4 == 1 ? digits.dropLast() : digits
        let padded = whole.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - padded.count % 4) % 4)
        let bytes = Data(base64Encoded: padded + padding).map { Array($0) } ?? []
        self = try Self.decode(bytes)
    }

    /// The text, one line without spaces.
    ///
    /// - Throws: ``SyncError`` with the code `store` when the cryptography of this machine fails.
    public var text: Sensitive<String> {
        get throws(SyncError) {
            var body = ByteWriter()
            body.write(Array(place.utf8))
            code.data.withExposed { body.write($0) }
            var writer = ByteWriter()
            writer.write(Self.version)
            var count = writer.bytes.count + body.bytes.count + Self.checksumByteCount
            // The number counts its own bytes.
            count += count + 1 < 0x80 ? 1 : 2
            writer.write(count: count)
            writer.write(fixed: body.bytes)
            writer.write(fixed: try Self.checksum(writer.bytes))
            return Sensitive(Self.prefix + Self.base64(writer.bytes))
        }
    }

    private static func decode(_ bytes: [UInt8]) throws(SyncError) -> PairingText {
        let cutOff = SyncError.mistyped("The text is cut off. Copy the whole line.")
        var reader = ByteReader(bytes)
        guard let version = try? reader.number(), let count = try? reader.number(as: Int.self) else { throw cutOff }
        guard bytes.count >= count else { throw cutOff }
        guard bytes.count == count else { throw .mistyped("There is more than the text. Copy the one line alone.") }
        let body = Array(bytes.dropLast(checksumByteCount))
        guard try checksum(body) == Array(bytes.suffix(checksumByteCount)) else {
            throw .mistyped("The text has a typing mistake. Copy the whole line.")
        }
        guard version == Self.version else {
            throw SyncError(code: .newer, message: "A newer Parley made this text. Update this one to use it.")
        }
        do throws(SyncError) {
            var content = ByteReader(body)
            _ = try content.number()
            _ = try content.number()
            let place = String(decoding: try content.string(), as: UTF8.self)
            let code = try PairingCode(data: content.string())
            try content.finish()
            return try PairingText(place: place, code: code)
        } catch {
            throw .mistyped("This is no whole text of Parley's. Copy the line again.")
        }
    }

    private static func checksum(_ bytes: [UInt8]) throws(SyncError) -> [UInt8] {
        Array(try Crypto.hash(Crypto.Label.pairing.bytes + bytes).prefix(checksumByteCount))
    }

    static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// A URL without the password of its user part, its query and its fragment.
    private static func withoutSecrets(_ place: String) -> String {
        guard let scheme = place.firstRange(of: "://") else { return place }
        let rest = place[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let authority = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(authority.count)
        guard let at = authority.lastIndex(of: "@") else { return String(place[..<scheme.upperBound] + rest) }
        let user = authority[..<at].prefix { $0 != ":" }
        return String(place[..<scheme.upperBound] + user + authority[at...] + path)
    }
}
