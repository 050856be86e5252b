// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
public import Networking

/// The error that a handler throws to answer with RFC 9457 problem details, without anything internal in them.
///
/// The server adds the request's id. Any other error of a handler becomes a 500 without details.
public struct ServerProblem: Error, Sendable, Hashable {
    /// A member of problem details besides the standard's (RFC 9457 §3.2).
    public enum Member: Sendable, Hashable, Encodable {
        /// A text.
        case string(String)
        /// A whole number.
        case integer(Int)
        /// True or false.
        case boolean(Bool)

        /// Encodes the bare value.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .string(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .boolean(let value): try container.encode(value)
            }
        }
    }

    /// The status of the answer; 400 to 599.
    public var status: Int
    /// The kind of problem, as a URI; `about:blank` if the status says it all.
    public var type: String
    /// A short summary of the kind, for people; the status's own name if none is given.
    public var title: String?
    /// The failure and its remedy, for people.
    public var detail: String?
    /// More members, such as a code for programs.
    public var members: [String: Member]
    /// Fields of the answer's header, such as `Retry-After`.
    public var headers: HTTPHeaders

    /// A problem.
    public init(
        status: Int, type: String = "about:blank", title: String? = nil, detail: String? = nil,
        members: [String: Member] = [:], headers: HTTPHeaders = [:]
    ) {
        self.status = status
        self.type = type
        self.title = title
        self.detail = detail
        self.members = members
        self.headers = headers
    }

    /// 400, with the fault.
    public static func badRequest(_ detail: String) -> ServerProblem { ServerProblem(status: 400, detail: detail) }

    /// 404.
    public static let notFound = ServerProblem(status: 404, detail: "There is nothing at this address.")

    /// 413 for a body over `limit` bytes.
    public static func bodyTooLarge(limit: Int) -> ServerProblem {
        ServerProblem(status: 413, detail: "The body may have at most \(limit) bytes.")
    }

    /// 500, without its cause.
    public static let internalError = ServerProblem(
        status: 500, detail: "The server has a fault. Its operator finds the cause by the request's id.")

    /// The problem as an answer (`application/problem+json`).
    ///
    /// - Parameter requestID: The id that connects it with the server's log.
    public func response(requestID: String?) -> ServerResponse {
        var fields: [String: Member] = members
        fields["type"] = .string(type)
        fields["title"] = .string(title ?? StatusNames.name(of: status))
        fields["status"] = .integer(status)
        if let detail { fields["detail"] = .string(detail) }
        if let requestID { fields["request_id"] = .string(requestID) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = (try? encoder.encode(fields)).map { [UInt8]($0) } ?? []
        var response = ServerResponse(status: status, headers: headers, body: .bytes(body))
        response.headers["Content-Type"] = "application/problem+json"
        if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
        return response
    }
}

extension ServerProblem {
    /// The problem for an error of a handler. Details that are not meant for the client are only logged.
    init(_ error: any Error, logger: Logger) {
        switch error {
        case let problem as ServerProblem:
            self = problem
        case is CancellationError:
            // The answer is not read: the client is gone, or the server stops.
            self = ServerProblem(status: 503, detail: "The request was cancelled. Try again.")
        default:
            logger.error("a handler failed: \(String(describing: error))")
            self = .internalError
        }
    }
}
