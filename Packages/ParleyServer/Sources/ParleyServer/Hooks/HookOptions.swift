// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Security

/// The operator's hook: an address that decides about sign-ups and learns of sign-ins.
public struct HookOptions: Sendable {
    /// The fate of a sign-up when the hook does not answer.
    public enum WhenAway: String, Sendable, Hashable, CaseIterable {
        /// Nobody signs up.
        case refuse
        /// Everybody signs up.
        case allow
    }

    /// The address, `https` or on this machine.
    public var url: URL
    /// The key that signs requests.
    public var secret: HookSecret
    /// The fate of a sign-up when the hook does not answer.
    public var whenAway = WhenAway.refuse

    /// A hook.
    public init(url: URL, secret: HookSecret) {
        (self.url, self.secret) = (url, secret)
    }
}

/// The key of a hook, in the form of Standard Webhooks: `whsec_` and base 64 of 24 to 64 bytes.
public struct HookSecret: Sendable {
    let key: Sensitive<[UInt8]>

    /// Reads a key; nil for another form.
    public init?(_ text: String) {
        guard text.hasPrefix("whsec_"), let bytes = Data(base64Encoded: String(text.dropFirst(6))),
            (24...64).contains(bytes.count)
        else { return nil }
        key = Sensitive([UInt8](bytes))
    }
}
