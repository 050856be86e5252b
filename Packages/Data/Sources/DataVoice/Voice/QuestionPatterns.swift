// SPDX-License-Identifier: MIT

/// The patterns of spoken questions about states, over the rules that ``StateQuestionGrammar`` makes from the facts.
enum QuestionPatterns {
    /// Rules that are parts of other patterns.
    static let parts: [String: String] = [
        "opening": """
        hey | hi | hello | okay | so | um | uh | well | please | now | and | alright | excuse me | quick question \
        | tell me [please] | please tell me | (can | could | would | will) you [please] (tell me | say | give me | show me) \
        | (can | could) (i | you) (get | have | find) | do you [happen to] know | i (want | need) to know \
        | i would like to (know | hear) | i'd like to (know | hear) | i'm looking for | i am looking for \
        | i was wondering | i wonder | let me know | do you remember | remind me | help me find | please say
        """,
        "closing": "please | thanks | thank you | again | for me | do you know",
        "ask": """
        what is | what's | what are | what was | which is | which are | name | say | give me | tell me | show me | find \
        | find me | i need | i want | get me | list | who is | what about | how about | and | look up | state \
        | what would be | what do you call
        """,
        "capitalNoun": "[state] capital | [state] capital city | seat of government",
        "birdNoun": "[official] [state] bird | bird symbol",
        "flowerNoun": "[official] [state] flower | flower symbol | [state] blossom",
        "cityNoun": "(largest | biggest | most populous) (city | town) | (largest | biggest) of the cities | main city",
        "admissionNoun": "admission [date] | (date | day | year) of (admission | statehood) | statehood (date | day)",
        "placeNoun": "location | position | coordinates | place on the map",
        "topic": """
        <capitalNoun> | <birdNoun> | <flowerNoun> | <cityNoun> | <admissionNoun> | <placeNoun> \
        | capitals | [state] birds | [state] flowers | (largest | biggest) cities
        """,
        "of": "of | in | for | from",
        "place": "[the state of] <state> | the state <state>",
        "further": "farther | further | more",
        "direction": "north | south | east | west",
        "directional": "northern | southern | eastern | western | northerly | southerly | easterly | westerly",
        "whichState": "which state | what state | which u s state | which of the states | which one of the states",
        "city": "<capital> | <largestCity>",
        "creature": "[the] (<bird> | <flower>)",
        "entity": "<city> | <creature>",
    ]

    /// Whole questions, with their weights against each other.
    static let questions: [(weight: Double, pattern: String)] = [
        // One property of one state.
        (30, "[<ask>] [the] [name of the] <topic> <of> <place>"),
        (10, "[<ask>] [the] <topic> and [the] <topic> <of> <place>"),
        (6, "[<ask>] [the] <topic> <of> <place> and ([<ask>] [the] <topic> <of> <place> | <place>)"),
        (6, "[<ask>] both the <topic> and the <topic> <of> <place>"),
        (12, "[<ask>] <states> <topic> [and [<states>] <topic>]"),
        (10, "[<ask>] [the] <place> [state] <topic> [and <topic>]"),
        (6, "what [the] <topic> <of> <place> (is | are | was)"),
        (4, "what <states> <topic> (is | are | was)"),
        (4, "[the] <topic> <of> <place> is (what | which) [city | bird | flower]"),
        (4, "(in | for | of) <place> what (is | are | would be) the <topic>"),
        (4, "<place> what (is | are | would be) (its | the | their) <topic>"),
        (3, "what does <place> have as its <topic>"),
        (3, "[<ask>] the <topic> (in | of) the state of <state>"),
        (10, "(which | what) (city | town | place | bird | flower | plant) is the <topic> <of> <place>"),
        (3, "(which | what) (city | town | place) (serves | is used | acts) as the <capitalNoun> of <place>"),
        (4, "(what | which) (kind | sort | type | species) of (bird | flower) is the <topic> of <place>"),
        (
            4,
            "(which | what) (bird | flower) (represents | stands for | symbolizes | is a symbol of | is the symbol of) <place>"
        ),
        (
            3,
            "(which | what) (city | town) in <place> (is [the] (largest | biggest | most populous) | has the most people)"
        ),
        (3, "(what | which) (city | town) is [the] (largest | biggest | most populous) in <place>"),
        (2, "where is the <capitalNoun> of <place>"),
        // Admission.
        (6, "when did <place> (become | turn into) a state"),
        (6, "when did <place> (join | enter) [the] (union | united states | u s)"),
        (4, "when did <place> (get | gain | achieve | reach | receive) (statehood | admitted | its statehood)"),
        (
            6,
            "when was <place> (admitted | made a state | founded | accepted) [(to | into) the (union | united states)]"
        ),
        (5, "[in | on] (what | which) (year | date | day) did <place> (become a state | (join | enter) the union)"),
        (
            5,
            "[in | on] (what | which) (year | date | day) was <place> (admitted [(to | into) the union] | made a state)"
        ),
        (2, "since when (is | has) <place> [been] a state"),
        (2, "how long has <place> been a state"),
        (2, "when <place> (became a state | joined the union | was admitted [to the union] | entered the union)"),
        // Place and overview.
        (8, "(where is | where's | where exactly is) <place> [located | on the map | exactly | at]"),
        (3, "where (does <place> lie | can i find <place>) [on the map]"),
        (2, "where <place> (is | lies) [located] [on the map]"),
        (3, "(show | find | locate) [me] [where] <place> [is] [on the map | on a map]"),
        (
            8,
            "(tell me | talk | hear | say | know) [something | more | everything | a bit | a little | all] about <place>"
        ),
        (4, "(what | anything | all) [do] you know about <place>"),
        (4, "[<ask>] [some] (information | info | facts | data | details) (about | on | for) <place>"),
        (3, "(describe | what is | what about | how about | and | overview of) <place>"),
        (12, "<place>"),
        // From a property to its state.
        (8, "<whichState> has <entity> (as | for) (its | the | their) <topic>"),
        (8, "<entity> is (the | a) <topic> (of | for | in) (<whichState> | which | what)"),
        (8, "(whose | <whichState's>) <topic> is <entity>"),
        (6, "(what | which) state is <entity> the <topic> (of | for)"),
        (3, "(of | for | in) (what | which) state is <entity> the <topic>"),
        (6, "<whichState> (is <city> in | is <city> located in | does <city> belong to | is <city> part of)"),
        (4, "(in | to) <whichState> (is <city> [located] | does <city> (lie | belong))"),
        (4, "<city> is (in | located in | part of) (which | what) state"),
        (4, "where is <city> [located | on the map]"),
        (4, "<whichState> (has | uses | chose | picked) <creature> [on | in its flag]"),
        (3, "(which | what) states (have | has | share | use) <creature> (as | for) (their | its | the) <topic>"),
        (3, "(who | which states) (has | have) <entity> (as | for) (its | their | the) <topic>"),
        (3, "<creature> (represents | is the symbol of | belongs to) (which | what) state"),
        (3, "(which | what) state does <creature> (represent | belong to | stand for)"),
        (3, "[<ask>] [the] state (with | whose <topic> is) <entity> [as its <topic>]"),
        (3, "<entity> is the <topic> [of | for] <place>"),
        (4, "is <entity> the <topic> of <place>"),
        (3, "(which | what) state (was admitted | joined the union | became a state) (first | last)"),
        // Comparisons.
        (8, "is <place> [<further>] (<direction> | <directional>) (of | than | from) <place>"),
        (3, "(is | does) <place> (lie | located | situated) [to the] [<further>] <direction> (of | than) <place>"),
        (4, "is <place> to the <direction> of <place>"),
        (
            6,
            "(which | who | what) [state | one] (is | lies) [the] [<further>] (<direction> | <directional>) <place> or <place>"
        ),
        (
            3,
            "[of | between] <place> (and | or) <place> which [state | one] (is | lies) [<further>] (<direction> | <directional>)"
        ),
        (8, "how far [away] is <place> (from | to) <place>"),
        (4, "how far is it (from | between) <place> (to | and) <place>"),
        (4, "how far [apart | away] are <place> and <place> [apart | from each other]"),
        (
            3,
            "how (many miles | many kilometers | far) (is it | are there | away is it) (from | between) <place> (to | and) <place>"
        ),
        (3, "how (many miles | many kilometers) is <place> from <place>"),
        (5, "[<ask>] [the] distance (between | from) <place> (and | to) <place>"),
        (3, "how far is <city> from <city>"),
        (2, "how far is <states> <capitalNoun> from <states> <capitalNoun>"),
    ]
}
