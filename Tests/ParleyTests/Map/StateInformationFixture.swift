// SPDX-License-Identifier: MIT

import Domain

/// A made-up state, for what the real ones do not have: odd names.
enum StateInformationFixture {
    static func make(name: String, abbreviation: String = "KS", capital: String = "Topeka") -> StateInformation {
        StateInformation(
            name: name, abbreviation: abbreviation, capital: capital, bird: nil, flower: nil, largestCity: "Wichita",
            admission: nil, centerLatitude: 38.5, centerLongitude: -98.4)
    }
}
