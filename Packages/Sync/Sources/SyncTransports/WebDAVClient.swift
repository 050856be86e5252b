// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking
import Sync
import SyncWire

extension HTTPMethod {
    static let propfind = HTTPMethod(rawValue: "PROPFIND")
    static let mkcol = HTTPMethod(rawValue: "MKCOL")
    static let move = HTTPMethod(rawValue: "MOVE")
}

/// Requests of WebDAV with a user's name and password (RFC 7617).
struct WebDAVClient: Sendable {
    /// The most bytes of an answer that is no object: a listing of some 20,000 objects.
    private static let answerLimit = 16 << 20

    private let transport: any HTTPTransport
    private let authorization: String

    init(transport: any HTTPTransport, user: String, password: String) {
        self.transport = transport
        authorization = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    /// An answer of any status.
    struct Answer {
        let status: Int
        let body: [UInt8]
        /// The server's clock in milliseconds since 1970, if it tells it.
        let time: Int64?
        fileprivate let method: HTTPMethod

        /// - Throws: `SyncError` unless the status is one of these.
        func require(_ statuses: Int...) throws {
            if !statuses.contains(status) { throw SyncError.answer(status, to: method) }
        }
    }

    func send(
        _ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = [:], body: [UInt8]? = nil, limit: Int? = nil
    ) async throws -> Answer {
        var request = HTTPRequest(method, url, headers: headers)
        request.headers["Authorization"] = authorization
        // What is sealed cannot be compressed, and a limit counts what is sent.
        request.headers["Accept-Encoding"] = "identity"
        if let body {
            request.body = .bytes(body)
            request.headers["Content-Type"] = "application/octet-stream"
        }
        if method == .propfind {
            if headers["Depth"] == nil { request.headers["Depth"] = "1" }
            request.headers["Content-Type"] = "application/xml; charset=utf-8"
            request.body = .text(WebDAVListing.question)
        }
        // The password stays with this server.
        request.redirects = .stop
        do {
            let response = try await transport.send(request)
            let content = response.isSuccess ? try await response.body.collect(upTo: limit ?? Self.answerLimit) : []
            return Answer(status: response.status, body: content, time: response.time, method: method)
        } catch let error as NetworkError where error.code == .responseTooLarge && limit != nil {
            throw SyncError(code: .tooLarge, message: error.message)
        } catch let error as NetworkError {
            throw SyncError.network(error)
        }
    }
}
