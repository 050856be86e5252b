// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Localization
import Security

/// Writes the mail that a person signs in with.
struct MailComposer: Sendable {
    /// The sender's address, `name@host`.
    let sender: EmailAddress
    /// The server's public address, without a slash at the end.
    let address: String
    /// The operator's own words, which are in one language.
    var templates = MailTemplates()
    /// The languages of the built-in words.
    var languages = ServerLanguages.english

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
        let translator = languages.translator(acceptLanguage: mail.acceptLanguage)
        let subject =
            texts?.subject.text(values)
            ?? translator(mail.kind == .signIn ? tr("Sign in to Parley") : tr("Come to Parley"))
        let lines = [
            "From: Parley <\(sender.value)>",
            "To: <\(recipient.value)>",
            "Subject: \(MIMEText.header(subject))",
            "Date: \(Self.date(now))",
            "Message-ID: <\(id)@\(sender.value.split(separator: "@").last ?? "localhost")>",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
        ]
        let text = MIMEText.part(texts?.text.text(values) ?? Self.text(mail, values, translator), type: "text/plain")
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

    /// The built-in words. Link and code stand on lines of their own, whose direction is theirs.
    private static func text(
        _ mail: SignInMail, _ values: [MailTemplate.Name: String], _ translator: Translator
    ) -> String {
        let isInvitation = mail.kind == .invitation
        var lines = [
            translator(
                isInvitation
                    ? tr("You are invited to Parley. Open this link to sign in:") : tr("Open this link to sign in:")),
            "", values[.link] ?? "", "",
        ]
        if let code = values[.code] { lines += [translator(tr("or type this code:")), "", "    " + code, ""] }
        let minutes = Int(mail.linkLifetime.minutes)
        lines.append(
            translator(
                trn(
                    "The link works once, for {count} minute.", "The link works once, for {count} minutes.",
                    count: minutes)))
        if values[.code] != nil {
            let minutes = Int(mail.codeLifetime.minutes)
            lines.append(
                translator(
                    trn(
                        "The code works once, for {count} minute.", "The code works once, for {count} minutes.",
                        count: minutes)))
        }
        if isInvitation {
            lines.append(translator(tr("Later than that, ask for a new mail in the program.")))
            lines.append(translator(tr("If you do not want to come, ignore this mail.")))
        } else {
            lines.append(
                translator(tr("If you did not ask for this mail, ignore it: nobody gets in without it.")))
        }
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
