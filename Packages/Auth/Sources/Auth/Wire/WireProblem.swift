// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

/// The body of a refusal: GoTrue's forms of several years, OAuth's (RFC 6749 §5.2), a gateway's, and problem details
/// (RFC 9457) with members of Parley's server. A member of a wrong type counts as missing.
struct WireProblem: Decodable {
    /// The code of the reason, from any of the possible members.
    var code: String?
    /// The server's text for a person.
    var message: String?
    var attemptsLeft: Int?
    /// Seconds.
    var retryAfter: Double?
    /// The reason why a right proof is refused: `used` or `expired`.
    var reason: String?

    private enum CodingKeys: String, CodingKey {
        case code, msg, message, error, title, detail, reason
        case errorCode = "error_code"
        case errorDescription = "error_description"
        case attemptsLeft = "attempts_left"
        case retryAfter = "retry_after"
    }

    /// True if the refusal names `redirect_to`, the target of a mail's link.
    var isAboutRedirect: Bool { message?.contains("redirect") ?? false }

    init() {}

    /// A refusal that arrived through a browser, by its code alone.
    init(refusal name: String) { code = Self.name(name) }

    /// Reads a body; one that is not a JSON object gives a problem without members.
    init(_ bytes: [UInt8]) {
        self = (try? JSONDecoder().decode(WireProblem.self, from: Data(bytes))) ?? WireProblem()
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? { try? values.decode(String.self, forKey: key) }
        // Newer GoTrue has the reason in `code` when asked for its newest interface; older GoTrue has the status there.
        code = (text(.errorCode) ?? text(.code) ?? text(.error)).flatMap(Self.name)
        message = text(.msg) ?? text(.message) ?? text(.errorDescription) ?? text(.detail) ?? text(.title)
        reason = text(.reason).flatMap(Self.name)
        attemptsLeft = (try? values.decode(Int.self, forKey: .attemptsLeft)).flatMap {
            (0...1_000).contains($0) ? $0 : nil
        }
        retryAfter = (try? values.decode(Double.self, forKey: .retryAfter)).flatMap {
            $0.isFinite && $0 >= 0 ? $0 : nil
        }
    }

    /// The text if it has the form of a name: only that goes into errors and logs.
    private static func name(_ text: String) -> String? {
        let isName =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            }
        return isName ? text : nil
    }

    /// The time to wait: the body's value, the header's (RFC 9110 §10.2.3), or the number in GoTrue's sentence, which
    /// is in no other member. At most a day.
    func wait(_ headers: HTTPHeaders, status: Int, now: Date) -> Duration? {
        var seconds = retryAfter ?? headers.retryAfter(now: now).map { $0 / .seconds(1) }
        if seconds == nil, status == 429, let message {
            let words = message.prefix(200).split { !$0.isLetter && !$0.isNumber }
            if let after = words.firstIndex(of: "after"), words.indices.contains(after + 2),
                words[after + 2].hasPrefix("second")
            {
                seconds = Double(words[after + 1])
            }
        }
        guard let seconds, seconds.isFinite, seconds >= 0 else { return nil }
        return .seconds(min(seconds, 86_400))
    }
}
