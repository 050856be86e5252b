// SPDX-License-Identifier: MIT

import Diagnostics

extension ServerProblem {
    /// The problem that an error of a handler makes. What is not meant for the client is logged and stays here.
    init(_ error: any Error, logger: Logger) {
        switch error {
        case let problem as ServerProblem:
            self = problem
        case is CancellationError:
            // Nobody reads this: the client is gone, or the server stops.
            self = ServerProblem(status: 503, detail: "The request was cancelled. Try again.")
        default:
            logger.error("a handler failed: \(String(describing: error))")
            self = .internalError
        }
    }
}
