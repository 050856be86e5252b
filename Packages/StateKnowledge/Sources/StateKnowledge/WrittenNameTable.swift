// SPDX-License-Identifier: MIT

/// Names that occur only in writing: abbreviations and spellings that sound alike.
enum WrittenNameTable {
    /// Traditional abbreviations by postal abbreviation, in small letters without full stops.
    static let abbreviations: [(String, [String])] = [
        ("al", ["ala"]), ("ak", ["alas"]), ("az", ["ariz"]), ("ar", ["ark"]), ("ca", ["calif", "cal", "cali"]),
        ("co", ["colo", "col"]), ("ct", ["conn"]), ("de", ["del"]), ("fl", ["fla", "flor"]), ("hi", ["haw"]),
        ("id", ["ida"]), ("il", ["ill", "ills"]), ("in", ["ind"]), ("ks", ["kan", "kans"]), ("ky", ["kent", "ken"]),
        ("ma", ["mass"]), ("mi", ["mich"]), ("mn", ["minn"]), ("ms", ["miss"]), ("mt", ["mont"]),
        ("ne", ["neb", "nebr"]), ("nv", ["nev"]), ("ok", ["okla"]), ("or", ["ore", "oreg"]),
        ("pa", ["penn", "penna", "pennsy"]), ("tn", ["tenn"]), ("tx", ["tex"]), ("va", ["virg"]), ("wa", ["wash"]),
        ("wi", ["wis", "wisc"]), ("wy", ["wyo"]),
    ]

    /// Abbreviations that are also words: they count only if capitals, a full stop or the position in the sentence show
    /// that a state is meant.
    static let ambiguous: Set<String> = [
        "in", "or", "me", "ok", "hi", "oh", "la", "ma", "pa", "id", "al", "mo", "de", "co", "ms", "ar", "ne", "mi",
        "md",
        "mt", "ill", "ills", "miss", "mass", "cal", "ark", "ore", "wash", "ind", "del", "col", "ida", "alas", "ken",
        "haw",
        "kent", "ala", "flor", "neb",
    ]

    /// More forms of states' names, by postal abbreviation; a plural stands for both.
    static let states: [(String, [String])] = [
        ("DC", ["washington dc", "district of colombia", "the district of columbia", "dist of columbia", "wash dc"]),
        ("NC", ["n carolina", "no carolina", "n car", "north car", "n c"]),
        ("SC", ["s carolina", "so carolina", "s car", "south car", "s c"]),
        ("ND", ["n dakota", "no dakota", "n dak", "north dak", "n d"]),
        ("SD", ["s dakota", "so dakota", "s dak", "south dak", "s d"]),
        ("WV", ["w virginia", "w va", "west va", "w v"]),
        ("NM", ["n mexico", "n mex", "new mex", "n m"]),
        ("NH", ["n hampshire", "n hamp", "new hamp", "n h"]),
        ("NJ", ["n jersey", "n j", "new joisey"]), ("NY", ["n york", "n y", "new york state"]),
        ("RI", ["r island", "rhode isl", "rhode is", "r i", "road island", "rhodes island"]),
        ("WA", ["washington state"]),
        ("ND SD", ["dakotas", "the dakotas"]), ("NC SC", ["carolinas", "the carolinas"]),
        ("VA WV", ["virginias", "the virginias"]),
        ("AR", ["arkansaw"]), ("IL", ["illinoise", "illinoy"]),
        ("HI", ["hawaiian islands"]),
        ("TX", ["texan"]), ("CA", ["californian"]), ("AK", ["alaskan"]), ("HI", ["hawaiian"]), ("FL", ["floridian"]),
        ("OH", ["ohioan"]), ("IA", ["iowan"]), ("KS", ["kansan"]), ("MN", ["minnesotan"]), ("OR", ["oregonian"]),
        ("MT", ["montanan"]), ("NE", ["nebraskan"]), ("NV", ["nevadan"]), ("VT", ["vermonter"]), ("VA", ["virginian"]),
    ]

    /// Nicknames, by postal abbreviation; not those that read like a bird or a flower before "state".
    static let nicknames: [(String, [String])] = [
        ("TX", ["lone star state"]), ("CA", ["golden state"]), ("FL", ["sunshine state"]), ("NY", ["empire state"]),
        ("NJ", ["garden state"]), ("HI", ["aloha state"]), ("OH", ["buckeye state"]), ("IN", ["hoosier state"]),
        ("IA", ["hawkeye state"]), ("GA", ["peach state"]), ("TN", ["volunteer state"]),
        ("AZ", ["grand canyon state"]), ("NV", ["silver state"]), ("WA", ["evergreen state"]),
        ("OR", ["beaver state"]), ("MO", ["show me state"]), ("KY", ["bluegrass state"]), ("ME", ["pine tree state"]),
        ("MD", ["old line state"]), ("MA", ["bay state"]), ("NH", ["granite state"]),
        ("VT", ["green mountain state"]), ("RI", ["ocean state"]), ("CT", ["constitution state"]),
        ("PA", ["keystone state"]), ("VA", ["old dominion state", "old dominion"]), ("WV", ["mountain state"]),
        ("NC", ["tar heel state", "tarheel state"]), ("SC", ["palmetto state"]), ("AR", ["natural state"]),
        ("OK", ["sooner state"]), ("NE", ["cornhusker state"]), ("ND", ["peace garden state"]),
        ("SD", ["mount rushmore state"]), ("MT", ["treasure state"]), ("WY", ["equality state", "cowboy state"]),
        ("CO", ["centennial state"]), ("UT", ["beehive state"]), ("ID", ["gem state"]),
        ("NM", ["land of enchantment"]), ("IL", ["prairie state"]), ("WI", ["badger state"]),
        ("MI", ["great lakes state", "wolverine state"]), ("MN", ["north star state", "gopher state"]),
        ("AK", ["last frontier", "last frontier state"]),
    ]

    /// More forms of cities, birds and flowers.
    static let values: [(NameKind, String, [String])] = [
        (.largestCity, "NY", ["n y c", "nyc"]),
        (.largestCity, "NV", ["vegas"]), (.largestCity, "PA", ["philly"]), (.capital, "UT", ["slc"]),
        (.largestCity, "UT", ["slc"]), (.capital, "ND", ["bismark"]), (.capital, "LA", ["batonrouge"]),
        (.capital, "OK", ["okc"]), (.largestCity, "OK", ["okc"]), (.largestCity, "AL", ["hunstville"]),
        (.capital, "MT", ["helana"]), (.capital, "IN", ["indy"]), (.largestCity, "IN", ["indy"]),
        (.capital, "ID", ["boisie"]), (.largestCity, "ID", ["boisie"]),
        (.bird, "UT", ["sea gull"]), (.bird, "SD", ["chinese ring necked pheasant", "ringneck pheasant"]),
        (.bird, "RI", ["rhode island red hen", "rhode island red chicken", "rhode island red rooster"]),
        (.bird, "NM", ["chaparral bird", "road runner"]), (.bird, "HI", ["nene goose", "hawaiian nene"]),
        (.bird, "SC", ["south carolina wren"]), (.bird, "AK", ["alaska willow ptarmigan"]),
        (.bird, "LA", ["eastern brown pelican"]), (.bird, "GA", ["georgia thrasher"]),
        (.bird, "OK", ["scissortail", "scissor tail flycatcher", "scissortail flycatcher"]),
        (.flower, "TX", ["texas bluebonnet", "blue bonnet"]), (.flower, "GA", ["georgia cherokee rose"]),
        (.flower, "AZ", ["saguaro flower", "saguaro cactus flower", "cactus flower", "cactus blossom"]),
        (.flower, "NV", ["sage brush"]),
        (.flower, "MN", ["ladys slipper", "ladyslipper", "lady slipper orchid", "pink lady slipper"]),
        (.flower, "SC", ["yellow jasmine", "carolina jasmine", "carolina jessamine"]),
        (.flower, "SD", ["pasque flower", "pasque"]), (.flower, "ME", ["white pine", "pine cone and tassel"]),
        (.flower, "KY", ["golden rod"]), (.flower, "NE", ["golden rod"]), (.flower, "KS", ["sun flower"]),
        (.flower, "MD", ["blackeyed susan"]), (.flower, "WA", ["coast rhodie", "pacific rhododendron"]),
        (.flower, "CO", ["colorado columbine", "rocky mountain columbine"]), (.flower, "OK", ["oklahoma tea rose"]),
        (.flower, "WY", ["paintbrush"]), (.flower, "WI", ["blue violet"]),
        (.flower, "NY GA IA ND OK DC", ["rose"]),
    ]
}
