// SPDX-License-Identifier: MIT

/// The rules that several patterns use, in the notation of JSGF.
enum PhraseRuleTable {
    /// Polite words before an intent's phrase.
    static let opening = """
        hey | hi | hello | okay | ok | so | well | please | now | and | alright | excuse me | quick question | tell me \
        | can you | could you | would you | will you | can i | could i | may i | do you know | do you happen to know \
        | i want to know | i need to know | i would like to know | i'd like to know | i was wondering | i wonder | let me know \
        | i need you to | i want you to | i would like you to | i'd like you to | go ahead and | any chance you could \
        | any idea | do you have any idea | good morning | good evening | thanks | yes | no | oh | sorry
        """
    /// Polite words after it.
    static let closing = """
        please | thanks | thank you | for me | now | right now | at the moment | currently | do you know | if you can | again \
        | would you | will you | can you | could you | okay | ok | then | if you do not mind | exactly | quickly | there \
        | real quick | thank you very much | assistant | rn | pls | plz | already | asap | quick | this time
        """
    static let rules: [String: String] = [
        "what": "what is | what's | what would be | give me | get | get me | show me | say",
        "isit": "is it | it is | it's | is | do you have",
        "clocktime": "[current | local | exact] time",
        "in": "in | over in | for | at",
        "a": "a | an | another | my | the | one | a new | new | me a",
        // Without "the" and "my", which name one that is set.
        "onemore": "a | an | another | one | a new | new",
        "my": "the | my | a | that | this",
        "for": "for | of | to",
        "start":
            "set | start | create | make | begin | add | set up | put on | put | run | do | give me | i need | i want | have",
        "end":
            "cancel | stop | delete | remove | end | clear | turn off | kill | get rid of | dismiss | switch off | scrap | drop",
        "all": "all | all of | all the | all my | all of my | all of the | every | every single | both",
        "isover": "(is | are | have | has) [all] (up | over | passed | gone by | gone | elapsed)",
        "called": "called | named | labeled | labelled | with the name | with the label | for [the | my | some | a]",
        "thetimer": "[<my>] timer",
        "remaining": "left | remaining | to go",
        "when": "[at | for | by] <clock> [on | for] [<date>] | [on | for] <date> [at | for] <clock>",
        "list": "list | show | show me | tell me | what are | read | read out | read me | name | give me | check",
        "calculate": """
        calculate | compute | work out | figure out | what is | what's | how much is | how many is | what does \
        | what do you get when you | what do i get if i | what would be | solve | evaluate | what are | give me | find \
        | tell me what is | what will be
        """,
        "convert": "convert | change | turn | translate | express",
        "are": "are | is | are there | is there | do you get | do you have | make | make up | go | fit | would be",
        "measure": """
        what is | what's | how much is | how long is | how far is | how tall is | how big is | how heavy is | how hot is \
        | how cold is | how fast is | how many is | what are | how high is | how large is | how warm is
        """,
        "into": "in | to | into | in to | as",
        "thevolume": "[the | your] (volume | sound | loudness)",
        "turn": "turn | set | put | change | adjust | make | bring",
        "by": "by [about]",
        "weekday": "monday | tuesday | wednesday | thursday | friday | saturday | sunday",
        "utter": "say | repeat",
    ]

    /// Narrower rules for recognition: each seldom word makes the others less certain.
    static let heard: [String: String] = [
        "opening": "hey | please | okay | can you | could you | tell me | do you know",
        "closing": "please | thanks | thank you | for me | now | right now",
        "what": "what is | what's",
        "in": "in",
        "a": "a | an | another",
        "onemore": "a | an | another",
        "start": "set | start | create",
        "end": "cancel | stop | delete | turn off",
        "all": "all | all my | all the",
        "called": "called | for",
        "thetimer": "(my | the) timer",
        "my": "the | my",
        "remaining": "left",
        "list": "list | show me | what are",
        "calculate": "calculate | what is | what's | how much is | what is | what's",
        "convert": "convert",
        "are": "are | is | are there | is there",
        "measure": "what is | what's | how much is | how far is",
        "into": "in | to",
        "thevolume": "the volume",
        "turn": "turn | set",
    ]

    /// Spoken forms of slots, for recognition; places, labels, tasks and words are the caller's lists.
    static let spoken: [String: String] = [
        "digit": "one | two | three | four | five | six | seven | eight | nine",
        "teen": """
        ten | eleven | twelve | thirteen | fourteen | fifteen | sixteen | seventeen | eighteen | nineteen
        """,
        "ten": "twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety",
        "number": "<small> | <digit> hundred [[and] <small>] | <small> thousand | <digit> point <digit>",
        "percent": "(<small> | one hundred | a hundred) [percent]",
        "period": "(minute | minutes | second | seconds | hour | hours)",
        // The numbers of minutes and seconds that timers are set to.
        "span": """
        two | three | four | five | six | seven | eight | nine | ten | eleven | twelve | fifteen | eighteen | twenty \
        | twenty five | thirty | thirty five | forty | forty five | fifty | sixty | ninety | five | ten | fifteen | twenty \
        | thirty
        """,
        "duration": """
        (<span> | one) (minutes | minute) | <span> (minutes | minute | seconds | second) | <hour> (hours | hour) | an hour \
        | a minute | half an hour | an hour and a half | a quarter of an hour | one and a half (minutes | hours) \
        | (one | two | three) (hour | hours) [and] <span> minutes | <span> minutes [and] <span> seconds
        """,
        "month": """
        january | february | march | april | may | june | july | august | september | october | november | december
        """,
        "ordinal": """
        first | second | third | fourth | fifth | sixth | seventh | eighth | ninth | tenth | eleventh | twelfth \
        | thirteenth | fourteenth | fifteenth | sixteenth | seventeenth | eighteenth | nineteenth | twentieth \
        | twenty first | twenty second | twenty third | twenty fourth | twenty fifth | twenty sixth | twenty seventh \
        | twenty eighth
        """,
        "date": """
        today | tomorrow | yesterday | the day after tomorrow | [next | this] <weekday> | <month> <ordinal> \
        | the <ordinal> of <month> | in <small> days | christmas | halloween | new year's eve | a week from today
        """,
        "hour": "one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve",
        "half": "a m | p m | in the morning | in the evening | in the afternoon",
        "clock": """
        <hour> [o'clock] [<half>] | <hour> (oh five | ten | fifteen | twenty | thirty | forty five | fifty) [<half>] \
        | half past <hour> | [a] quarter (past | to) <hour> | (five | ten | twenty) (past | to) <hour> | noon | midnight
        """,
        "quantity": "<number> <unit> | one <single> | (a | half a) <single> | an (hour | ounce | inch | acre)",
        "single": """
        mile | foot | yard | meter | kilometer | pound | kilogram | ton | liter | teaspoon | tablespoon | cup | pint | quart \
        | gallon | minute | day | week | year | megabyte | gigabyte
        """,
        "unit": """
        millimeters | centimeters | meters | kilometers | inches | feet | yards | miles | grams | kilograms | kilos | ounces \
        | pounds | tons | milliliters | liters | teaspoons | tablespoons | cups | pints | quarts | gallons | celsius \
        | fahrenheit | degrees celsius | degrees fahrenheit | miles per hour | kilometers per hour | knots | acres \
        | square feet | square miles | square meters | seconds | minutes | hours | days | weeks | years | megabytes \
        | gigabytes | terabytes | kilobytes | bytes | bits
        """,
        "operator": "plus | minus | times | multiplied by | divided by | over",
        "calculation": """
        <number> <operator> <number> | <number> <operator> <number> <operator> <number> | <small> percent of <number> \
        | <small> percent of <number> | <small> percent of <number> | <small> percent of <number> | [the] square root of <number> | [the] cube root of <number> | <number> squared | <number> cubed | half of <number> \
        | <small> to the power of <digit> | a (third | quarter) of <number> | the sum of <small> and <small> \
        | the product of <small> and <small> | <small> percent off <number> | twice <number> | double <number>
        """,
    ]
}
