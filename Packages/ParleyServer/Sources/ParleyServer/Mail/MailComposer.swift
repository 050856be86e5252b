// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Security

/// Writes the mail that a person signs in with.
struct MailComposer: Sendable {
    /// The sender's address, `name@host`.
    let sender: EmailAddress
    /// The server's public address, without a slash at the end.
    let address: String

    /// A message of RFC 5322, in ASCII, with CR LF at the ends of lines.
    ///
    /// - Parameter id: Unique among all messages.
    func message(_ mail: SignInMail, to recipient: EmailAddress, at now: AuthTime, id: String) -> [UInt8] {
        let link = mail.token.withExposed { "\(address)/verify?token=\($0)&type=magiclink" }
        var lines = [
            "From: Parley <\(sender.value)>",
            "To: <\(recipient.value)>",
            "Subject: Sign in to Parley",
            "Date: \(Self.date(now))",
            "Message-ID: <\(id)@\(sender.value.split(separator: "@").last ?? "localhost")>",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=us-ascii",
            "Content-Transfer-Encoding: 7bit",
            "",
            "Open this link to sign in:",
            "",
            link,
            "",
        ]
        if let code = mail.code {
            lines += ["or type this code:", "", "    " + code.withExposed { $0 }, ""]
            lines.append(
                "The link works for \(mail.linkLifetime.minutes) minutes, the code for \(mail.codeLifetime.minutes); "
                    + "each once.")
        } else {
            lines.append("The link works once, for \(mail.linkLifetime.minutes) minutes.")
        }
        lines += ["If you did not ask for this mail, ignore it: nobody gets in without it.", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// The date by RFC 5322 §3.3, in UTC.
    private static func date(_ time: AuthTime) -> String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.weekday, .day, .month, .year, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000))
        let two = { (number: Int?) in (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return
            "\(days[(parts.weekday ?? 1) - 1]), \(two(parts.day)) \(months[(parts.month ?? 1) - 1]) \(parts.year ?? 0) "
            + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) +0000"
    }
}

extension Duration {
    fileprivate var minutes: Int64 { components.seconds / 60 }
}
