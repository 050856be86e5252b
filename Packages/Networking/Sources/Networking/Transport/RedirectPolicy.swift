// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Decides the step after a response that names another address (RFC 9110 §15.4).
struct RedirectPolicy {
    /// The handling of a response.
    enum Step {
        /// Return it to the caller.
        case deliver
        /// Drop its body and send this.
        case follow(HTTPRequest)
        /// Give up.
        case fail(NetworkError)
    }

    private let credentials: Redaction
    private var followed = 0

    /// - Parameter credentials: The header fields that another origin does not get.
    init(credentials: Redaction = Redaction()) { self.credentials = credentials }

    /// The step after `status` and `location` as the answer to `request`.
    mutating func step(after request: HTTPRequest, status: Int, location: String?) -> Step {
        guard case .follow(let maximum) = request.redirects, [301, 302, 303, 307, 308].contains(status),
            let location, !location.isEmpty
        else { return .deliver }
        guard followed < maximum else {
            return .fail(error("There were more than \(maximum) redirects. Check the server's configuration."))
        }
        followed += 1
        guard let target = URL(string: location, relativeTo: request.url)?.absoluteURL, target.host()?.isEmpty == false
        else { return .fail(error("The redirect's address is not a URL.")) }
        if request.url.scheme?.lowercased() == "https", target.scheme?.lowercased() != "https" {
            return .fail(error("The redirect goes from https to an address without TLS. It was not followed."))
        }
        var next = request
        next.url = target
        // A fragment is never sent. The old one stays if the new address has none; that does not show on the wire.
        if status == 303 || ((status == 301 || status == 302) && request.method == .post), request.method != .head {
            next.method = .get
            next.body = .none
            ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location"].forEach {
                next.headers.remove($0)
            }
        } else if !request.body.isRepeatable {
            return .fail(error("The redirect needs the body again, and a stream cannot be read twice."))
        }
        if Origin(request.url) != Origin(target) {
            let secrets = request.headers.map(\.name).filter(credentials.isSecretHeader)
            (secrets + ["Host"]).forEach { next.headers.remove($0) }
            next.options.isAuthorized = false
        }
        return .follow(next)
    }

    private func error(_ message: String) -> NetworkError {
        NetworkError(code: .redirect, message: message)
    }
}

/// The scheme, host and port of an address (RFC 6454), by which trust, connections and limits are kept.
struct Origin: Hashable, Sendable, CustomStringConvertible {
    private let scheme: String
    private let host: String
    private let port: Int

    /// The origin of an absolute address.
    init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host()?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// The origin as text, `https://host:443`.
    var description: String { "\(scheme)://\(host):\(port)" }
}
