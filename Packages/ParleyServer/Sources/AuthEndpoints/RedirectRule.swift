// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// The rule for addresses after a link was used: a program on the person's own machine, or an address that the operator
/// named. Any other address would give the code to strangers.
public struct RedirectRule: Sendable {
    /// Whole addresses, without query.
    let allowed: Set<String>

    /// - Parameter allowed: The operator's addresses: whole, without query.
    public init(allowed: Set<String> = []) { self.allowed = allowed }

    /// - Throws: `AuthServerError` with the code `validationFailed`.
    func check(_ text: String?) throws -> String? {
        guard let text else { return nil }
        guard text.utf8.count <= 1_000, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let url = URL(string: text), url.user() == nil, url.password() == nil, url.fragment() == nil,
            allows(url, text)
        else {
            throw AuthServerError(
                .validationFailed,
                "redirect_to is not allowed: use parley://, a loopback address, or ask the server's operator.")
        }
        return text
    }

    private func allows(_ url: URL, _ text: String) -> Bool {
        switch (url.scheme?.lowercased(), url.host()?.lowercased()) {
        case ("parley", _): true
        // RFC 8252 §7.3: any port.
        case ("http", "127.0.0.1"), ("http", "::1"), ("http", "[::1]"): true
        default: allowed.contains(text.split(separator: "?", maxSplits: 1).first.map(String.init) ?? text)
        }
    }
}
