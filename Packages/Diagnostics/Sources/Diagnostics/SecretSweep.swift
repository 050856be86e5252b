// SPDX-License-Identifier: MIT

/// The last check of a text before it is written: removes text in the form of a secret.
///
/// A second line of defence: values are private unless marked public, and this finds those that were marked by mistake
/// or arrived inside an error's text. It finds bearer and basic credentials (RFC 6750, RFC 7617), JSON Web Tokens (RFC
/// 7519), PEM blocks (RFC 7468), keys that begin with `sk-` or `sk_`, values of query items, form fields and header
/// fields that are named `apikey`, `sig`, `token` or the like (percent-encoded names too), and 32 or more hexadecimal
/// digits in a row, which also takes digests and trace identifiers. It does not find a password without its name.
public enum SecretSweep {
    /// The text with every secret replaced by a word for its kind, such as `<removed:jwt>`. Takes linear time.
    public static func cleaned(_ text: String) -> String {
        var text = text
        let cuts = text.withUTF8 { bytes in
            var scanner = SecretScanner(bytes: bytes)
            return scanner.scan()
        }
        guard !cuts.isEmpty else { return text }
        return text.withUTF8 { bytes in
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            var position = 0
            for cut in cuts {
                result += bytes[position..<cut.range.lowerBound]
                result += "<removed:\(cut.kind)>".utf8
                position = cut.range.upperBound
            }
            result += bytes[position...]
            return String(decoding: result, as: UTF8.self)
        }
    }
}

extension LogMessage {
    /// The same message without text in the form of a secret.
    func swept() -> LogMessage {
        LogMessage(redacted: SecretSweep.cleaned(redacted), revealed: revealed.map(SecretSweep.cleaned))
    }
}
