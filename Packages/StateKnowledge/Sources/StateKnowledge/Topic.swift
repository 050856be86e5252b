// SPDX-License-Identifier: MIT

/// The topics of questions about a state.
enum Topic: Int, CaseIterable {
    case capital, bird, flower, largestCity, admission, location, overview

    /// The name for explanations.
    var name: String {
        switch self {
        case .capital: "capital"
        case .bird: "bird"
        case .flower: "flower"
        case .largestCity: "largest city"
        case .admission: "admission"
        case .location: "location"
        case .overview: "overview"
        }
    }
}

/// A point of the compass.
enum CompassPoint: Int {
    case north, south, east, west

    /// The word for it.
    var name: String { ["north", "south", "east", "west"][rawValue] }
}
