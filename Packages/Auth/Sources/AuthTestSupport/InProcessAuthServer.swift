// SPDX-License-Identifier: MIT

public import AuthServer
import AuthServerTestSupport
import Diagnostics
public import FoundationEssentials
public import Networking
import Security

/// A transport that answers from ``AuthServer``'s rules in this process: a whole server without a socket, with a clock that
/// the test moves.
public final class InProcessAuthServer: HTTPTransport {
    /// The rules.
    public let service: AuthService
    private let clock = VirtualAuthClock()
    private let mailer = CollectingMailer()
    private let endpoints: AuthEndpoints
    private let base: String

    /// A server without accounts.
    ///
    /// - Parameter base: Where it pretends to be.
    public init(base: URL, policy: AuthPolicy = AuthPolicy()) throws {
        let signing = SigningKeys(current: try Ed25519.PrivateKey())
        service = AuthService(
            store: InMemoryAuthStore(), mailer: mailer, keys: try AuthKeys(root: SymmetricKey()), signing: { signing },
            issuer: base.absoluteString, policy: policy, clock: clock.clock)
        endpoints = AuthEndpoints(
            service: service, clock: clock.clock, keys: { try signing.published },
            allowsRedirect: { $0.hasPrefix("parley://") || $0.hasPrefix("http://127.0.0.1:") })
        self.base = base.path() == "/" ? "" : base.path()
    }

    /// Answers a request.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.validate()
        var body: [UInt8] = []
        if case .bytes(let bytes) = request.body { body = bytes }
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let bearer = request.headers["Authorization"].flatMap {
            $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil
        }
        let answer = await endpoints.answer(
            EndpointRequest(
                method: request.method.rawValue,
                path: String(request.url.path(percentEncoded: false).dropFirst(base.count + 1)),
                query: items.map { ($0.name, $0.value ?? "") }, bearer: bearer, body: body,
                prefix: NetworkPrefix(address: "192.0.2.7"), device: request.headers["User-Agent"] ?? ""))
        return HTTPResponse(
            status: answer.status, headers: HTTPHeaders(answer.headers.map { .init(name: $0.name, value: $0.value) }),
            url: request.url, body: HTTPResponseBody(answer.body))
    }

    /// Lets the server's time go by.
    public func advance(by duration: Duration) { clock.advance(by: duration) }

    /// The newest mail of an address: its code, if it has one, and its link's token.
    public func mail(of email: String) -> (code: String?, token: String)? {
        mailer.mails.last { $0.recipient?.value == email }.map { mail in
            (mail.code?.withExposed { $0 }, mail.token.withExposed { $0 })
        }
    }

    /// Presses the button behind the link of the newest mail: the code that the browser brings back.
    public func followLink(of email: String) async throws -> String? {
        guard let token = mail(of: email)?.token else { return nil }
        return try await service.confirm(link: token, from: NetworkPrefix(address: "198.51.100.1")).code
    }
}
