// SPDX-License-Identifier: MIT

import Networking

/// What an answer must be before it is sent.
enum ResponseRules {
    /// Fields that only the server can know.
    static func isWrittenByServer(_ name: String) -> Bool {
        switch name.lowercased() {
        case "content-length", "transfer-encoding", "connection", "keep-alive": true
        default: false
        }
    }

    /// What is wrong with an answer, or `nil`.
    static func fault(of response: ServerResponse) -> String? {
        let isWebSocket = if case .webSocket = response.body { true } else { false }
        guard isWebSocket ? response.status == 101 : (200...599).contains(response.status) else {
            return "the status \(response.status) is out of range"
        }
        for field in response.headers {
            guard HeaderRules.isToken(field.name.utf8) else { return "the name of a field is not a token" }
            guard field.value.utf8.allSatisfy(HeaderRules.mayStandInValue) else {
                return "the value of the field \(field.name) has a control character in it"
            }
        }
        return nil
    }
}

extension ServerResponse {
    /// Whether a body follows the header (RFC 9110 §6.4.1).
    func hasBody(for method: HTTPMethod) -> Bool {
        method != .head && status >= 200 && status != 204 && status != 304
    }

    /// Whether the handler wants the connection closed.
    var closesConnection: Bool {
        headers.values(for: "Connection").contains { value in
            value.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "close" }
        }
    }
}
