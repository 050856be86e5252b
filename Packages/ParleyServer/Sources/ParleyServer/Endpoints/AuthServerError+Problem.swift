// SPDX-License-Identifier: MIT

import AuthEndpoints
import AuthServer
import HTTPServer
import Networking

extension AuthServerError {
    /// The answer: problem details (RFC 9457) that also have GoTrue's members.
    func problem(at now: AuthTime) -> ServerProblem {
        var problem = ServerProblem(
            status: status, detail: message,
            members: ["code": .integer(status), "error_code": .string(code.rawValue), "msg": .string(message)])
        if let attemptsLeft { problem.members["attempts_left"] = .integer(attemptsLeft) }
        if let staleness { problem.members["reason"] = .string(staleness.rawValue) }
        if let wait = wait(at: now) {
            problem.members["retry_after"] = .integer(wait)
            problem.headers["Retry-After"] = String(wait)
        }
        if let challenge { problem.headers["WWW-Authenticate"] = challenge }
        return problem
    }
}
