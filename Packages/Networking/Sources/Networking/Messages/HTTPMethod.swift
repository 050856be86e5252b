// SPDX-License-Identifier: MIT

/// What a request asks for (RFC 9110 §9). Methods are case-sensitive.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method's name as it is sent.
    public let rawValue: String

    /// A method by its name, such as `PROPFIND`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }

    /// `GET`: read.
    public static let get = HTTPMethod(rawValue: "GET")
    /// `HEAD`: read the header only.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// `POST`: whatever the server makes of it; not safe to repeat.
    public static let post = HTTPMethod(rawValue: "POST")
    /// `PUT`: replace.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// `PATCH`: change a part; not safe to repeat (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// `DELETE`: remove.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// `OPTIONS`: ask what the server offers.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// `TRACE`: echo the request.
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// Whether the method only reads (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        self == .get || self == .head || self == .options || self == .trace
    }

    /// Whether sending the request twice does what sending it once does (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }
}
