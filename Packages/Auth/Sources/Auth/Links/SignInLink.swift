// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Security

/// A link that a person has clicked or pasted, parsed strictly. It proves nothing before the server has answered.
///
/// Three kinds are read: the mail's own link at the server (`https://host/…?token=…`), and the ways back through a
/// browser, `http://127.0.0.1:port/signed-in?…` and `parley://signed-in?…`, with a `code`, or with the server's
/// `error`.
public struct SignInLink: Sendable {
    /// The proof in a link.
    enum Proof: Sendable {
        /// The token of a mail's link, with the link's own type.
        case token(Sensitive<String>, type: String)
        /// A code that is exchanged together with the verifier.
        case code(Sensitive<String>)
        /// The server refused the link; the reason's code.
        case refused(String)
    }

    let proof: Proof
    let state: String?
    private let needsState: Bool

    /// The longest link that is read, in bytes.
    public static let byteLimit = 2_048

    /// Parses a link.
    ///
    /// - Parameters:
    ///   - text: The link; spaces and line ends around it are dropped.
    ///   - server: The auth server's address; a mail's link must go there.
    /// - Throws: ``AuthError`` with the code `invalidLink`. Its message does not quote the link.
    public init(_ text: String, server: URL) throws {
        let bytes = Array(text.utf8)
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
        let address = try SignInAddress(bytes[start..<end])
        let query = try SignInQuery(address.query)
        switch address.scheme {
        case "https": try Self.check(address, isAt: server)
        case "http" where SignInAddress.isLocal(address.host) && address.path != "/signed-in":
            // A server on this machine, for development.
            try Self.check(address, isAt: server)
        case "http":
            guard address.host == "127.0.0.1", address.port != nil, address.path == "/signed-in" else {
                throw Self.invalid("It must begin with https://.")
            }
        case "parley":
            guard address.host == "signed-in", address.port == nil, address.path.isEmpty || address.path == "/" else {
                throw Self.invalid("It must begin with parley://signed-in.")
            }
        default: throw Self.invalid("It must begin with https:// or parley://.")
        }
        let isAtServer = address.scheme == "https" || (address.scheme == "http" && address.path != "/signed-in")
        proof = try query.proof(isAtServer: isAtServer)
        state = query["state"]
        needsState = !isAtServer
    }

    /// True if the link's state is that of a sign-in. A link from a browser must have the state.
    func belongs(to expected: String?) -> Bool {
        guard let expected else { return state == nil && !needsState }
        guard let state else { return !needsState }
        return ConstantTime.areEqual(Array(state.utf8), Array(expected.utf8))
    }

    private static func check(_ address: SignInAddress, isAt server: URL) throws {
        let base = try SignInAddress(Array(server.absoluteString.utf8)[...])
        guard address.scheme == base.scheme, address.host == base.host, address.port == base.port else {
            throw invalid("It leads to another server than the one that you sign in to.")
        }
    }

    static func invalid(_ why: String) -> AuthError {
        AuthError(.invalidLink, "This is not a link to sign in with. \(why) Copy all of it from the newest mail.")
    }
}

/// The address that a used link leads to: back to the program, with a state that only the program and its mail contain
/// (RFC 6749 §10.12).
public struct SignInRedirect: Sendable, Hashable {
    /// The address, including the state.
    public let url: URL
    /// 128 random bits in base64url.
    let state: String

    /// `parley://signed-in?state=…`, for which `parley install` registers a handler.
    ///
    /// - Throws: `SecurityError` if the system has no randomness.
    public static func application() throws -> SignInRedirect {
        try SignInRedirect(to: "parley://signed-in")
    }

    init(to address: String) throws {
        state = try SecureRandom.token(byteCount: 16)
        guard let url = URL(string: "\(address)?state=\(state)") else {
            throw AuthError(.invalidConfiguration, "The return address cannot be used.")
        }
        self.url = url
    }
}
