// SPDX-License-Identifier: MIT

import AuthServer
import HTTPServer
import Networking

extension AuthServerError {
    /// 401 where RFC 6750 §3.1 asks for it, 403 for whatever could be right and is not. GoTrue says 400 for some of them; its
    /// clients look at `error_code`.
    var status: Int {
        switch code {
        case .badAccessToken: 401
        case .proofRefused, .sessionEnded, .refreshTokenUnknown, .refreshTokenReused, .wrongVerifier: 403
        case .authorizationCodeRefused: 404
        case .tooManyMails, .tooManyRequests: 429
        default: 400
        }
    }

    /// The answer: problem details (RFC 9457) that also have GoTrue's members.
    func problem(at now: AuthTime) -> ServerProblem {
        var problem = ServerProblem(
            status: status, detail: message,
            members: ["code": .integer(status), "error_code": .string(code.rawValue), "msg": .string(message)])
        if let attemptsLeft { problem.members["attempts_left"] = .integer(attemptsLeft) }
        if let retryAfter {
            // Rounded up: who comes back then must not be told to wait again.
            let seconds = Int(max(1, (retryAfter.milliseconds - now.milliseconds + 999) / 1_000))
            problem.members["retry_after"] = .integer(seconds)
            problem.headers["Retry-After"] = String(seconds)
        }
        if code == .badAccessToken { problem.headers["WWW-Authenticate"] = #"Bearer error="invalid_token""# }
        return problem
    }
}
