// SPDX-License-Identifier: MIT

import Security

/// The members of a link's query, each at most once.
struct SignInQuery {
    private var members: [String: String] = [:]

    /// Reads `name=value&…`; values are percent-decoded (RFC 3986 §2.1), names are plain.
    init(_ bytes: ArraySlice<UInt8>) throws {
        let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        guard pairs.count <= 16 else { throw SignInLink.invalid("It has too many parts.") }
        for pair in pairs {
            guard let mark = pair.firstIndex(of: UInt8(ascii: "=")), (1...32).contains(pair[..<mark].count),
                pair[..<mark].allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }),
                let value = Self.decoded(pair[pair.index(after: mark)...])
            else { throw SignInLink.invalid("A part of it is damaged.") }
            let name = String(decoding: pair[..<mark], as: UTF8.self)
            guard members.updateValue(value, forKey: name) == nil else {
                throw SignInLink.invalid("A parameter occurs twice.")
            }
        }
        guard members["state"].map({ Self.isToken($0) }) ?? true else {
            throw SignInLink.invalid("Its state is damaged.")
        }
    }

    subscript(name: String) -> String? { members[name] }

    /// The one proof in it.
    ///
    /// - Parameter isAtServer: True for the mail's own link, which has a token; false for a link from a browser, with a
    ///   code.
    func proof(isAtServer: Bool) throws -> SignInLink.Proof {
        let proofs = ["token", "token_hash", "code", "error"].filter { members[$0] != nil }
        guard proofs.count == 1, let name = proofs.first, let value = members[name] else {
            throw SignInLink.invalid("It has no token, or more than one.")
        }
        switch name {
        case "error":
            guard !isAtServer else { throw SignInLink.invalid("It has no token.") }
            return .refused(members["error_code"] ?? value)
        case "code":
            guard !isAtServer, Self.isToken(value) else { throw SignInLink.invalid("Its code is damaged.") }
            return .code(Sensitive(value))
        default:
            let type = members["type"] ?? "email"
            guard isAtServer, Self.isToken(value), ["email", "magiclink", "signup", "invite"].contains(type) else {
                throw SignInLink.invalid("Its token is damaged.")
            }
            return .token(Sensitive(value), type: type)
        }
    }

    /// True for 1 to 256 unreserved characters: the form of tokens, codes and states.
    static func isToken(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy { SignInAddress.isPlain($0) && $0 != UInt8(ascii: "/") }
    }

    /// The decoded text; nil for a percent sign without two digits, invalid UTF-8, and control characters.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "%") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            guard bytes.endIndex - index > 2, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
            else { return nil }
            result.append(high << 4 | low)
            index += 3
        }
        guard let text = String(validating: result, as: UTF8.self),
            !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
