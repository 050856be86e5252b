// SPDX-License-Identifier: MIT

extension NetworkError.Code {
    /// A server-sent event is larger than the parser's limit.
    public static let eventTooLarge = Self(rawValue: "eventTooLarge")
    /// What answers is not an event stream: another content type or status. No use in trying again.
    public static let notAnEventStream = Self(rawValue: "notAnEventStream")
}
