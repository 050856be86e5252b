// SPDX-License-Identifier: MIT

public import Domain

/// The spoken forms of the names in the knowledge base: the common source of recognition grammars and of the reading of
/// typed questions.
///
/// Every form is of lower-case ASCII words with single spaces, without digits and punctuation; the official name comes
/// first. A form can belong to several states ("cardinal").
public enum QuestionPhrasing {
    /// One state and the ways to say one of its names.
    public typealias Entry = (state: StateInformation, forms: [String])

    /// The states' own names.
    public static let spokenStates: [Entry] = StateTable.rows.map { state in
        (state, [spoken(state.name)] + (otherStateNames[state.abbreviation] ?? []))
    }

    /// The capitals; the District of Columbia's is left out, since "Washington" is a state's name.
    public static let spokenCapitals: [Entry] = StateTable.rows.filter { $0.abbreviation != "DC" }.map { state in
        (state, forms(of: state.capital, others: otherCityNames))
    }

    /// The largest cities; the District of Columbia's is left out.
    public static let spokenLargestCities: [Entry] = StateTable.rows.filter { $0.abbreviation != "DC" }.map { state in
        (state, forms(of: state.largestCity, others: otherCityNames))
    }

    /// The official birds.
    public static let spokenBirds: [Entry] = StateTable.rows.compactMap { state in
        state.bird.map { (state, forms(of: $0, others: otherBirdNames)) }
    }

    /// The official flowers.
    public static let spokenFlowers: [Entry] = StateTable.rows.compactMap { state in
        state.flower.map { (state, forms(of: $0, others: otherFlowerNames)) }
    }

    private static func forms(of name: String, others: [String: [String]]) -> [String] {
        [spoken(name)] + (others[name] ?? [])
    }

    /// The words of a written name: "Forget-me-not" is "forget me not", "lady's slipper" is "lady slipper".
    static func spoken(_ name: String) -> String {
        var words = ""
        var skipsPossessive = false
        for character in name.lowercased() {
            if character == "'" {
                skipsPossessive = true
            } else if character.isLetter {
                if skipsPossessive, character == "s" { continue }
                skipsPossessive = false
                words.append(character)
            } else {
                skipsPossessive = false
                if words.last != " " { words.append(" ") }
            }
        }
        return words
    }

    private static let otherStateNames: [String: [String]] = [
        "DC": ["washington d c", "d c"]
    ]

    private static let otherCityNames: [String: [String]] = [
        "New York City": ["the big apple"],
        "Saint Paul": ["st paul"],
    ]

    private static let otherBirdNames: [String: [String]] = [
        "American goldfinch": ["goldfinch", "eastern goldfinch", "willow goldfinch"],
        "American robin": ["robin"],
        "Baltimore oriole": ["oriole"],
        "Black-capped chickadee": ["chickadee"],
        "Blue Hen chicken": ["blue hen"],
        "Brown pelican": ["pelican"],
        "Brown thrasher": ["thrasher"],
        "Cactus wren": ["wren"],
        "California gull": ["gull", "seagull"],
        "California quail": ["quail", "valley quail"],
        "Carolina wren": ["wren"],
        "Common loon": ["loon"],
        "Eastern bluebird": ["bluebird"],
        "Eastern goldfinch": ["goldfinch", "american goldfinch"],
        "Greater roadrunner": ["roadrunner"],
        "Hermit thrush": ["thrush"],
        "Lark bunting": ["bunting"],
        "Mountain bluebird": ["bluebird"],
        "Nene": ["hawaiian goose"],
        "Northern cardinal": ["cardinal", "red cardinal"],
        "Northern mockingbird": ["mockingbird"],
        "Purple finch": ["finch"],
        "Ring-necked pheasant": ["pheasant"],
        "Ruffed grouse": ["grouse"],
        "Scissor-tailed flycatcher": ["flycatcher"],
        "Western meadowlark": ["meadowlark"],
        "Willow ptarmigan": ["ptarmigan"],
        "Wood thrush": ["thrush"],
        "Yellowhammer": ["flicker", "northern flicker"],
    ]

    private static let otherFlowerNames: [String: [String]] = [
        "American Beauty rose": ["beauty rose"],
        "American dogwood": ["dogwood", "flowering dogwood"],
        "American pasqueflower": ["pasqueflower"],
        "California poppy": ["poppy", "golden poppy"],
        "Coast rhododendron": ["rhododendron"],
        "Common blue violet": ["violet", "blue violet"],
        "Flowering dogwood": ["dogwood", "american dogwood"],
        "Mayflower": ["trailing arbutus"],
        "Pink and white lady's slipper": ["lady slipper", "showy lady slipper"],
        "Purple lilac": ["lilac"],
        "Red carnation": ["carnation", "scarlet carnation"],
        "Red clover": ["clover"],
        "Rocky Mountain columbine": ["columbine", "blue columbine"],
        "Saguaro cactus blossom": ["saguaro blossom", "saguaro", "saguaro cactus"],
        "Sego lily": ["lily"],
        "Syringa": ["mock orange"],
        "White hawthorn blossom": ["hawthorn", "hawthorn blossom", "white hawthorn"],
        "White pine cone and tassel": ["pine cone", "white pine cone"],
        "Wild prairie rose": ["prairie rose"],
        "Wood violet": ["violet"],
        "Yellow hibiscus": ["hibiscus"],
        "Yellow jessamine": ["jessamine", "yellow jasmine"],
    ]
}
