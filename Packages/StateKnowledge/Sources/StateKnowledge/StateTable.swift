// SPDX-License-Identifier: MIT

import Domain

/// The facts: one line a state, in alphabetical order, the District of Columbia last.
///
/// Official birds and flowers, and days of admission, are those of the states' own laws and of the National Archives;
/// largest cities are those of the 2020 census; centres are the geographic ones (U.S. Geological Survey), rounded.
enum StateTable {
    // swift-format-ignore
    static let rows: [StateInformation] = [
        row("Alabama", "AL", "Montgomery", "Yellowhammer", "Camellia", "Huntsville", 1819, 12, 14, 32.8, -86.6),
        row("Alaska", "AK", "Juneau", "Willow ptarmigan", "Forget-me-not", "Anchorage", 1959, 1, 3, 64.7, -152.5),
        row("Arizona", "AZ", "Phoenix", "Cactus wren", "Saguaro cactus blossom", "Phoenix", 1912, 2, 14, 34.3, -111.7),
        row("Arkansas", "AR", "Little Rock", "Northern mockingbird", "Apple blossom", "Little Rock", 1836, 6, 15, 34.8, -92.4),
        row("California", "CA", "Sacramento", "California quail", "California poppy", "Los Angeles", 1850, 9, 9, 37.2, -119.4),
        row("Colorado", "CO", "Denver", "Lark bunting", "Rocky Mountain columbine", "Denver", 1876, 8, 1, 39.0, -105.5),
        row("Connecticut", "CT", "Hartford", "American robin", "Mountain laurel", "Bridgeport", 1788, 1, 9, 41.6, -72.7),
        row("Delaware", "DE", "Dover", "Blue Hen chicken", "Peach blossom", "Wilmington", 1787, 12, 7, 39.0, -75.5),
        row("Florida", "FL", "Tallahassee", "Northern mockingbird", "Orange blossom", "Jacksonville", 1845, 3, 3, 28.6, -82.5),
        row("Georgia", "GA", "Atlanta", "Brown thrasher", "Cherokee rose", "Atlanta", 1788, 1, 2, 32.6, -83.4),
        row("Hawaii", "HI", "Honolulu", "Nene", "Yellow hibiscus", "Honolulu", 1959, 8, 21, 20.3, -156.3),
        row("Idaho", "ID", "Boise", "Mountain bluebird", "Syringa", "Boise", 1890, 7, 3, 44.4, -114.6),
        row("Illinois", "IL", "Springfield", "Northern cardinal", "Violet", "Chicago", 1818, 12, 3, 40.0, -89.2),
        row("Indiana", "IN", "Indianapolis", "Northern cardinal", "Peony", "Indianapolis", 1816, 12, 11, 39.9, -86.3),
        row("Iowa", "IA", "Des Moines", "American goldfinch", "Wild rose", "Des Moines", 1846, 12, 28, 42.1, -93.5),
        row("Kansas", "KS", "Topeka", "Western meadowlark", "Sunflower", "Wichita", 1861, 1, 29, 38.5, -98.4),
        row("Kentucky", "KY", "Frankfort", "Northern cardinal", "Goldenrod", "Louisville", 1792, 6, 1, 37.5, -85.3),
        row("Louisiana", "LA", "Baton Rouge", "Brown pelican", "Magnolia", "New Orleans", 1812, 4, 30, 31.0, -92.0),
        row("Maine", "ME", "Augusta", "Black-capped chickadee", "White pine cone and tassel", "Portland", 1820, 3, 15, 45.4, -69.2),
        row("Maryland", "MD", "Annapolis", "Baltimore oriole", "Black-eyed Susan", "Baltimore", 1788, 4, 28, 39.0, -76.8),
        row("Massachusetts", "MA", "Boston", "Black-capped chickadee", "Mayflower", "Boston", 1788, 2, 6, 42.3, -71.8),
        row("Michigan", "MI", "Lansing", "American robin", "Apple blossom", "Detroit", 1837, 1, 26, 44.3, -85.4),
        row("Minnesota", "MN", "Saint Paul", "Common loon", "Pink and white lady's slipper", "Minneapolis", 1858, 5, 11, 46.3, -94.3),
        row("Mississippi", "MS", "Jackson", "Northern mockingbird", "Magnolia", "Jackson", 1817, 12, 10, 32.7, -89.7),
        row("Missouri", "MO", "Jefferson City", "Eastern bluebird", "White hawthorn blossom", "Kansas City", 1821, 8, 10, 38.4, -92.5),
        row("Montana", "MT", "Helena", "Western meadowlark", "Bitterroot", "Billings", 1889, 11, 8, 47.0, -109.6),
        row("Nebraska", "NE", "Lincoln", "Western meadowlark", "Goldenrod", "Omaha", 1867, 3, 1, 41.5, -99.8),
        row("Nevada", "NV", "Carson City", "Mountain bluebird", "Sagebrush", "Las Vegas", 1864, 10, 31, 39.3, -116.6),
        row("New Hampshire", "NH", "Concord", "Purple finch", "Purple lilac", "Manchester", 1788, 6, 21, 43.7, -71.6),
        row("New Jersey", "NJ", "Trenton", "Eastern goldfinch", "Common blue violet", "Newark", 1787, 12, 18, 40.2, -74.7),
        row("New Mexico", "NM", "Santa Fe", "Greater roadrunner", "Yucca", "Albuquerque", 1912, 1, 6, 34.4, -106.1),
        row("New York", "NY", "Albany", "Eastern bluebird", "Rose", "New York City", 1788, 7, 26, 42.9, -75.5),
        row("North Carolina", "NC", "Raleigh", "Northern cardinal", "Flowering dogwood", "Charlotte", 1789, 11, 21, 35.6, -79.4),
        row("North Dakota", "ND", "Bismarck", "Western meadowlark", "Wild prairie rose", "Fargo", 1889, 11, 2, 47.4, -100.5),
        row("Ohio", "OH", "Columbus", "Northern cardinal", "Red carnation", "Columbus", 1803, 3, 1, 40.3, -82.8),
        row("Oklahoma", "OK", "Oklahoma City", "Scissor-tailed flycatcher", "Oklahoma rose", "Oklahoma City", 1907, 11, 16, 35.6, -97.5),
        row("Oregon", "OR", "Salem", "Western meadowlark", "Oregon grape", "Portland", 1859, 2, 14, 43.9, -120.6),
        row("Pennsylvania", "PA", "Harrisburg", "Ruffed grouse", "Mountain laurel", "Philadelphia", 1787, 12, 12, 40.9, -77.8),
        row("Rhode Island", "RI", "Providence", "Rhode Island Red", "Violet", "Providence", 1790, 5, 29, 41.7, -71.6),
        row("South Carolina", "SC", "Columbia", "Carolina wren", "Yellow jessamine", "Charleston", 1788, 5, 23, 33.9, -80.9),
        row("South Dakota", "SD", "Pierre", "Ring-necked pheasant", "American pasqueflower", "Sioux Falls", 1889, 11, 2, 44.4, -100.2),
        row("Tennessee", "TN", "Nashville", "Northern mockingbird", "Iris", "Nashville", 1796, 6, 1, 35.9, -86.4),
        row("Texas", "TX", "Austin", "Northern mockingbird", "Bluebonnet", "Houston", 1845, 12, 29, 31.5, -99.3),
        row("Utah", "UT", "Salt Lake City", "California gull", "Sego lily", "Salt Lake City", 1896, 1, 4, 39.3, -111.7),
        row("Vermont", "VT", "Montpelier", "Hermit thrush", "Red clover", "Burlington", 1791, 3, 4, 44.1, -72.7),
        row("Virginia", "VA", "Richmond", "Northern cardinal", "American dogwood", "Virginia Beach", 1788, 6, 25, 37.5, -78.9),
        row("Washington", "WA", "Olympia", "American goldfinch", "Coast rhododendron", "Seattle", 1889, 11, 11, 47.4, -120.4),
        row("West Virginia", "WV", "Charleston", "Northern cardinal", "Rhododendron", "Charleston", 1863, 6, 20, 38.6, -80.6),
        row("Wisconsin", "WI", "Madison", "American robin", "Wood violet", "Milwaukee", 1848, 5, 29, 44.6, -89.7),
        row("Wyoming", "WY", "Cheyenne", "Western meadowlark", "Indian paintbrush", "Cheyenne", 1890, 7, 10, 43.0, -107.6),
        row("District of Columbia", "DC", "Washington", "Wood thrush", "American Beauty rose", "Washington", nil, 0, 0, 38.9, -77.0),
    ]

    private static func row(
        _ name: String, _ abbreviation: String, _ capital: String, _ bird: String, _ flower: String,
        _ largestCity: String, _ year: Int?, _ month: Int, _ day: Int, _ latitude: Double, _ longitude: Double
    ) -> StateInformation {
        StateInformation(
            name: name, abbreviation: abbreviation, capital: capital, bird: bird, flower: flower,
            largestCity: largestCity, admission: year.flatMap { CalendarDate(year: $0, month: month, day: day) },
            centerLatitude: latitude, centerLongitude: longitude)
    }
}
