// SPDX-License-Identifier: MIT

/// What to do with a response that names another address (RFC 9110 §15.4).
public enum HTTPRedirects: Sendable, Hashable {
    /// Go there, so many times at most. At another origin `Authorization` and cookies stay behind.
    case follow(maximum: Int)
    /// Hand the response to the caller.
    case stop
}
