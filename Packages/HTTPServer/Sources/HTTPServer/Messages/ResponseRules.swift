// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Networking

/// The rules for an answer before it is sent.
enum ResponseRules {
    /// True for the fields that only the server can know.
    static func isWrittenByServer(_ name: String) -> Bool {
        switch name.lowercased() {
        case "content-length", "transfer-encoding", "connection", "keep-alive": true
        default: false
        }
    }

    /// The fault in an answer, or nil.
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
    /// True if a body follows the header (RFC 9110 §6.4.1).
    func hasBody(for method: HTTPMethod) -> Bool {
        method != .head && status >= 200 && status != 204 && status != 304
    }

    /// True if the handler wants the connection closed.
    var closesConnection: Bool {
        headers.values(for: "Connection").contains { value in
            value.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "close" }
        }
    }
}

/// The characters of a header, by RFC 9110 and RFC 9112.
enum HeaderRules {
    /// True if a text is a token (RFC 9110 §5.6.2): a field's name, or a method.
    static func isToken(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty
            && text.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
                    UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }

    /// True if a field's value may contain a byte (RFC 9110 §5.5): no control character but the tab.
    static func mayStandInValue(_ byte: UInt8) -> Bool {
        byte == 0x09 || byte >= 0x20 && byte != 0x7F
    }

    /// True if a text is a host with or without a port, in the form of the Host field: a name, an IPv4 address, or an
    /// IPv6 address in brackets.
    static func isHost(_ text: String) -> Bool {
        var rest = text.utf8[...]
        guard !rest.isEmpty, rest.count <= 262 else { return false }
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = rest[rest.index(after: rest.startIndex)..<end]
            guard !address.isEmpty, address.allSatisfy({ isHexadecimal($0) || $0 == 0x3A || $0 == 0x2E }) else {
                return false
            }
            rest = rest[rest.index(after: end)...]
        } else {
            let name = rest.prefix { $0 != UInt8(ascii: ":") }
            guard !name.isEmpty, name.allSatisfy(isNameByte) else { return false }
            rest = rest.dropFirst(name.count)
        }
        guard rest.first == UInt8(ascii: ":") else { return rest.isEmpty }
        let port = rest.dropFirst()
        return port.count <= 5 && port.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }
}

/// The names of statuses, such as `Not Found` (RFC 9110 §15).
enum StatusNames {
    static func name(of status: Int) -> String {
        guard (100...999).contains(status), let name = MHD_get_reason_phrase_for(UInt32(status)) else {
            return "Unknown"
        }
        return String(cString: name)
    }
}
