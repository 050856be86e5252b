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
    /// The operator's own words.
    var templates = MailTemplates()

    /// A message of RFC 5322, with CR LF at the ends of lines.
    ///
    /// - Parameter id: Unique among all messages.
    func message(_ mail: SignInMail, to recipient: EmailAddress, at now: AuthTime, id: String) -> [UInt8] {
        var values: [MailTemplate.Name: String] = [
            .link: mail.token.withExposed { "\(address)/verify?token=\($0)&type=magiclink" },
            .minutes: "\(mail.linkLifetime.minutes)", .codeMinutes: "\(mail.codeLifetime.minutes)",
            .address: recipient.value, .server: address,
        ]
        values[.code] = mail.code?.withExposed { $0 }
        let texts = templates.kinds[mail.kind]
        let subject = texts?.subject.text(values) ?? (mail.kind == .signIn ? "Sign in to Parley" : "Come to Parley")
        let lines = [
            "From: Parley <\(sender.value)>",
            "To: <\(recipient.value)>",
            "Subject: \(MIMEText.header(subject))",
            "Date: \(Self.date(now))",
            "Message-ID: <\(id)@\(sender.value.split(separator: "@").last ?? "localhost")>",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
        ]
        let text = MIMEText.part(texts?.text.text(values) ?? Self.text(mail.kind, values), type: "text/plain")
        let body: [String]
        if let html = texts?.html {
            let other = MIMEText.part(html.text(values, escape: HTMLText.escaped), type: "text/html")
            // No line of a part begins so: the id is random.
            let boundary = "parley-\(id)"
            body =
                ["Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "", "--" + boundary] + text
                + ["--" + boundary] + other + ["--\(boundary)--", ""]
        } else {
            body = text
        }
        return Array((lines + body).joined(separator: "\r\n").utf8)
    }

    /// The built-in words.
    private static func text(_ kind: SignInMail.Kind, _ values: [MailTemplate.Name: String]) -> String {
        var lines = [
            kind == .signIn ? "Open this link to sign in:" : "You are invited to Parley. Open this link to sign in:",
            "",
            values[.link] ?? "", "",
        ]
        if let code = values[.code] {
            lines += ["or type this code:", "", "    " + code, ""]
            lines.append(
                "The link works for \(values[.minutes] ?? "") minutes, the code for \(values[.codeMinutes] ?? ""); each once."
            )
        } else {
            lines.append("The link works once, for \(values[.minutes] ?? "") minutes.")
        }
        lines.append(
            kind == .signIn
                ? "If you did not ask for this mail, ignore it: nobody gets in without it."
                : "Later than that, ask for a new mail in the program. If you do not want to come, ignore this one.")
        return lines.joined(separator: "\n") + "\n"
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
