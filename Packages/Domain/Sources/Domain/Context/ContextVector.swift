// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#endif

/// A situation as a vector, for the similarity of two situations.
///
/// Each part is a vector of length 1 of its own dimensions. The similarity is the mean, over the parts that both have, of the
/// cosines between their vectors, from -1 to 1; it is 1 if they have no part in common. docs/memory.md has the dimensions.
public struct ContextVector: Sendable, Hashable, Codable {
    /// An answer from a situation is used in another one if their similarity is above this.
    public static let threshold = 0.8

    /// The components by the name of the part and that of the dimension; missing ones are 0.
    public let parts: [String: [String: Double]]

    /// The vector of a situation.
    public init(_ context: UserContext) {
        var parts: [String: [String: Double]] = [:]
        for reading in context.readings { parts[reading.part.rawValue] = Self.unit(reading.dimensions) }
        self.parts = parts
    }

    /// The similarity with another situation.
    public func similarity(to other: ContextVector) -> Double {
        let common = parts.keys.filter { other.parts[$0] != nil }.sorted()
        guard !common.isEmpty else { return 1 }
        let cosines = common.map { Self.product(parts[$0] ?? [:], other.parts[$0] ?? [:]) }
        return cosines.reduce(0, +) / Double(common.count)
    }

    private static func product(_ first: [String: Double], _ second: [String: Double]) -> Double {
        first.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value * (second[$1.key] ?? 0) }
    }

    private static func unit(_ vector: [String: Double]) -> [String: Double] {
        let length = product(vector, vector).squareRoot()
        return length > 0 ? vector.mapValues { $0 / length } : ["": 1]
    }
}

extension ContextReading {
    /// The part's vector, of any length.
    fileprivate var dimensions: [String: Double] {
        switch self {
        case .time(let time):
            let angle = 2 * Double.pi * Double(time.minute) / 1_440
            return ["cos": cos(angle), "sin": sin(angle)]
        case .history(let commands): return Self.words(in: commands)
        case .events(let upcoming): return Self.words(in: upcoming.events.map(\.title))
        case .device(let device):
            var vector = ["model \(device.model ?? "")": 1.0, "system \(device.system ?? "")": 1.0]
            vector["state \(device.battery?.state.rawValue ?? "")"] = 1
            if let level = device.battery?.level {
                vector["full"] = sin(level * .pi / 2)
                vector["empty"] = cos(level * .pi / 2)
            }
            return vector
        case .activity(let level): return [level.rawValue: 1]
        case .location(let place):
            // Each place has weights at the four corners of its cell of half a degree, so that places near an edge are near
            // each other.
            let (north, east) = (Double(place.latitudeTenths) / 5, Double(place.longitudeTenths) / 5)
            let (south, west) = (north.rounded(.down), east.rounded(.down))
            var vector: [String: Double] = [:]
            for (row, rowWeight) in [(south, 1 - (north - south)), (south + 1, north - south)] {
                for (column, weight) in [(west, 1 - (east - west)), (west + 1, east - west)]
                where rowWeight * weight > 0 {
                    // The meridian of 180° has two names.
                    vector["\(Int(row)) \((Int(column) + 1_080) % 720)"] = rowWeight * weight
                }
            }
            return vector
        }
    }

    /// The number of times that each word occurs, in lower case.
    private static func words(in texts: [String]) -> [String: Double] {
        texts.reduce(into: [:]) { counts, text in
            for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                counts[String(word), default: 0] += 1
            }
        }
    }
}
