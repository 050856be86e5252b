// SPDX-License-Identifier: MIT

public import StructuredJSON

extension Scenario {
    /// Which requests a turn answers: those that fit everything that is said here.
    public struct Match: Sendable {
        /// The path, such as `/v1/responses`; `nil` for any.
        public var path: String?
        /// What the last message of the user contains, in any case of letters.
        public var says: String?
        /// What the body has: of an object these members, of an array these elements at these places, else the same
        /// value. `{"$contains": …}`, `{"$any": true}` and `{"$absent": true}` stand for a part of a text or an element
        /// of an array, for anything, and for nothing.
        public var body: JSONValue?

        /// Any request, unless told otherwise.
        public init(path: String? = nil, says: String? = nil, body: JSONValue? = nil) {
            self.path = path
            self.says = says
            self.body = body
        }

        /// Why a request does not fit; `nil` if it does.
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
            case ("$absent", let found): found == nil ? nil : "\(place) is there"
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
