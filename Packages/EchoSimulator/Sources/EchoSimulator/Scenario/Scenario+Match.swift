// SPDX-License-Identifier: MIT

public import StructuredJSON

extension Scenario {
    /// The conditions for the requests that a turn answers; all of them must hold.
    public struct Match: Sendable {
        /// The path, such as `/v1/responses`; `nil` for any.
        public var path: String?
        /// A text that the user's last message contains, ignoring case.
        public var says: String?
        /// A pattern of the body: of an object these members, of an array these elements at these positions, else the
        /// same value. `{"$contains": …}` matches a part of a text or an element of an array, `{"$any": true}`
        /// anything, and `{"$absent": true}` a missing value.
        public var body: JSONValue?

        /// Matches any request unless a condition is given.
        public init(path: String? = nil, says: String? = nil, body: JSONValue? = nil) {
            self.path = path
            self.says = says
            self.body = body
        }

        /// The reason why a request does not fit; `nil` if it does.
        func mismatch(path: String, said: String?, body: JSONValue?) -> String? {
            if let wanted = self.path, wanted != path { return "the path is \(path) and not \(wanted)" }
            if let says, !(said ?? "").lowercased().contains(says.lowercased()) {
                return "the last message does not contain “\(says)”"
            }
            guard let wanted = self.body else { return nil }
            return Self.mismatch(wanted, body, at: "")
        }

        private static let operators: Set<String> = ["$absent", "$any", "$contains"]

        static func mismatch(_ wanted: JSONValue, _ found: JSONValue?, at path: String) -> String? {
            let place = path.isEmpty ? "the body" : path
            if case .object(let object) = wanted, object.count == 1, let name = object.names.first,
                operators.contains(name)
            {
                return mismatch(operator: name, object[name] ?? nil, found, at: place)
            }
            guard let found else { return "\(place) is missing" }
            switch (wanted, found) {
            case (.object(let members), .object(let object)):
                for (name, member) in members {
                    let path = path.isEmpty ? name : "\(path).\(name)"
                    if let reason = mismatch(member, object[name], at: path) { return reason }
                }
                return nil
            case (.array(let wanted), .array(let found)):
                guard wanted.count == found.count else { return "\(place) has \(found.count) elements" }
                for (index, element) in wanted.enumerated() {
                    if let reason = mismatch(element, found[index], at: "\(path)[\(index)]") { return reason }
                }
                return nil
            default: return wanted == found ? nil : "\(place) is \(found.text.prefix(80)) and not \(wanted.text)"
            }
        }

        private static func mismatch(
            operator name: String, _ argument: JSONValue, _ found: JSONValue?, at place: String
        ) -> String? {
            switch (name, found) {
            case ("$absent", let found): found == nil ? nil : "\(place) is present"
            case (_, nil): "\(place) is missing"
            case ("$any", _): nil
            case ("$contains", .string(let text)?):
                text.contains(argument.string ?? "\0") ? nil : "\(place) does not contain \(argument.text)"
            case ("$contains", .array(let elements)?):
                elements.contains { mismatch(argument, $0, at: "") == nil }
                    ? nil : "no element of \(place) fits \(argument.text.prefix(80))"
            default: "\(place) is \(found?.kind ?? "nothing"), for which there is no \(name)"
            }
        }
    }
}
