// SPDX-License-Identifier: MIT

/// A pattern for paths: the segment in `/sessions/{id}` matches any one, the last segment of `/files/{path...}` matches
/// the rest of the path, at least one segment.
struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
    private enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(String)
        case rest(String)

        /// The order when several patterns match.
        var rank: Int {
            switch self {
            case .literal: 0
            case .parameter: 1
            case .rest: 2
            }
        }
    }

    let description: String
    private let segments: [Segment]

    /// A pattern; `nil` if the text is not a valid one.
    init?(_ text: String) {
        guard text.hasPrefix("/") else { return nil }
        description = text
        var segments: [Segment] = []
        let parts = text == "/" ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var names: Set<Substring> = []
        for (index, part) in parts.enumerated() {
            guard part.hasPrefix("{"), part.hasSuffix("}") else {
                guard !part.contains("{"), !part.contains("}") else { return nil }
                segments.append(.literal(String(part)))
                continue
            }
            let inner = part.dropFirst().dropLast()
            let name = inner.hasSuffix("...") ? inner.dropLast(3) : inner
            guard !name.isEmpty, names.insert(name).inserted else { return nil }
            if name.count == inner.count {
                segments.append(.parameter(String(name)))
            } else {
                guard index == parts.count - 1 else { return nil }
                segments.append(.rest(String(name)))
            }
        }
        self.segments = segments
    }

    /// The values of the parameters in a path; `nil` if it does not match. No parameter matches an empty segment.
    func match(_ path: [String]) -> [String: String]? {
        var values: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            guard index < path.count else { return nil }
            switch segment {
            case .literal(let text):
                guard path[index] == text else { return nil }
            case .parameter(let name):
                guard !path[index].isEmpty else { return nil }
                values[name] = path[index]
            case .rest(let name):
                values[name] = path[index...].joined(separator: "/")
                return values
            }
        }
        return path.count == segments.count ? values : nil
    }

    /// True if this one is tried before the other: literals before parameters, from the left.
    func precedes(_ other: RoutePattern) -> Bool {
        for (first, second) in zip(segments, other.segments) where first.rank != second.rank {
            return first.rank < second.rank
        }
        return false
    }

    /// True if two patterns match the same paths.
    func isEquivalent(to other: RoutePattern) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { first, second in
                if case .literal = first { return first == second }
                return first.rank == second.rank
            }
    }
}
