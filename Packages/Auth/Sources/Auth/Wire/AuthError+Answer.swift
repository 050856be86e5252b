// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

/// The call that was refused; the same refusal means different things to a person.
enum AuthOperation: Sendable {
    case mail, code, link, exchange, refresh, account, sessions, information
}

extension AuthError {
    /// The error for an answer other than 2xx. A session ends only by a code that says so, never by a status alone: a
    /// captive portal or a gateway answers 401 and 403, too.
    init(_ problem: WireProblem, status: Int, headers: HTTPHeaders, to operation: AuthOperation, now: Date) {
        let wait = problem.wait(headers, status: status, now: now)
        let (code, message) = Self.meaning(problem, status, operation)
        self.init(
            code, message, attemptsLeft: code == .wrongCode ? problem.attemptsLeft : nil, retryAfter: wait,
            until: wait.map { now.addingTimeInterval($0 / .seconds(1)) }, status: status, serverCode: problem.code)
    }

    private static func meaning(
        _ problem: WireProblem, _ status: Int, _ operation: AuthOperation
    ) -> (Code, String) {
        switch problem.code {
        case "otp_expired": proofRefused(problem, operation)
        case "validation_failed" where operation == .code: (.wrongCode, "This is not a code. Type the six digits.")
        case "validation_failed" where operation == .mail && problem.isAboutRedirect:
            (
                .invalidConfiguration,
                "The server does not allow this link's target. Ask its operator, or sign in by the mail's code."
            )
        case "validation_failed" where operation == .mail, "email_address_invalid", "email_address_not_authorized":
            (.invalidAddress, "The server does not accept the address. Look for a typing error.")
        case "over_email_send_rate_limit": (.tooManyMails, "Too many mails were asked for. Use the newest, or wait.")
        case "flow_state_not_found":
            (.alreadyUsed, "This sign-in was finished already, or took too long. Ask for another mail.")
        case "flow_state_expired": (.expired, "This sign-in took too long. Ask for another mail.")
        case "bad_code_verifier":
            (.wrongDevice, "Another program or device has asked for this mail. Finish there, or ask for a mail here.")
        case "refresh_token_already_used" where operation == .refresh:
            (.reused, "This session's token was used elsewhere, so the server has ended the session. Sign in again.")
        case "refresh_token_not_found", "session_not_found", "session_expired", "user_banned", "user_not_found",
            "invalid_grant":
            sessionEnded(problem, operation)
        case "bad_jwt", "no_authorization":
            (.unauthorized, "The server does not accept the access token. Sign in again.")
        case "signup_disabled", "otp_disabled":
            (.refused, "The server takes no new accounts. Ask its owner for one, or look for a typing error.")
        case "email_provider_disabled", "provider_disabled":
            (.unsupported, "This server does not sign in by mail.")
        case "captcha_failed":
            (.unsupported, "The server requires a captcha, which this program cannot show. Sign in with a browser.")
        default: meaning(ofStatus: status, operation, problem.code.map { ", \($0)" } ?? "")
        }
    }

    private static func proofRefused(_ problem: WireProblem, _ operation: AuthOperation) -> (Code, String) {
        switch problem.reason {
        case "used": return (.alreadyUsed, "This mail was used already. Ask for another.")
        case "expired": return (.expired, "This mail is too old. Ask for another.")
        default: break
        }
        guard operation == .code else {
            return (.expired, "The link is too old, was replaced by a newer mail, or was used. Ask for another mail.")
        }
        return switch problem.attemptsLeft {
        case 0: (.expired, "The code is wrong, too old, or was used, and cannot be tried again. Ask for another mail.")
        case 1: (.wrongCode, "The code is wrong. One try is left: check the newest mail.")
        case .some(let count): (.wrongCode, "The code is wrong. \(count) tries are left: look at the newest mail.")
        case nil: (.wrongCode, "The code is wrong or expired. Check the newest mail, or ask for another.")
        }
    }

    private static func sessionEnded(_ problem: WireProblem, _ operation: AuthOperation) -> (Code, String) {
        switch operation {
        case .refresh, .account, .sessions: (.signedOut, "This session has ended. Sign in again.")
        case .mail: (.refused, "The server knows no such account.")
        case .code: (.wrongCode, "The code is wrong or expired. Check the newest mail, or ask for another.")
        case .link, .exchange, .information: (.expired, "The link is wrong or too old. Ask for another mail.")
        }
    }

    private static func meaning(
        ofStatus status: Int, _ operation: AuthOperation, _ reason: String
    ) -> (Code, String) {
        switch status {
        case 429 where operation == .mail: (.tooManyMails, "Too many mails were asked for. Use the newest, or wait.")
        case 429: (.tooManyAttempts, "There were too many tries. Wait, then try again.")
        case 404 where operation == .sessions, 405 where operation == .sessions, 501 where operation == .sessions:
            (.unsupported, "This server does not list sessions.")
        case 401 where operation == .account, 401 where operation == .sessions:
            (.unauthorized, "The server does not accept the access token. Sign in again.")
        case 404: (.server, "There is no auth server at this address. Check the address; it may need a path.")
        case 408, 500...: (.server, "The server has a fault (status \(status)). Try again in a minute.")
        case 400...499: (.refused, "The server refuses the request (status \(status)\(reason)).")
        default: (.server, "The answer is not an auth server's (status \(status)). Check the network and the address.")
        }
    }
}
