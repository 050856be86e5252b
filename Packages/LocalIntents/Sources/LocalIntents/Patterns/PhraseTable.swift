// SPDX-License-Identifier: MIT

/// The phrases of every intent, in the notation of JSGF over ``PhraseRuleTable`` and ``IntentSlot``.
///
/// The reader matches them and the recogniser's grammar is made from them, so what is heard is understood. A phrase
/// of weight 0 is only typed.
enum PhraseTable {
    /// The meaning of a phrase beyond its slots.
    enum Form: Sendable {
        case plain
        /// All timers or alarms.
        case all
        /// A fixed percentage.
        case fixed(Int)
        /// Of two numbers, the part comes first, or the whole.
        case partFirst, wholeFirst
        /// The words mean something else unless their place is known: "military time".
        case knownPlace
        /// Those that were spoken of last.
        case them
    }

    struct Row: Sendable {
        let kind: LocalIntent.Kind
        let weight: Double
        let form: Form
        let pattern: String

        init(_ kind: LocalIntent.Kind, _ weight: Double, _ pattern: String, _ form: Form = .plain) {
            self.kind = kind
            self.weight = weight
            self.form = form
            self.pattern = pattern
        }
    }

    static let rows: [Row] = clock + timers + alarms + numbers + speech + typed

    private static let clock = [
        Row(.time, 10, "[<what>] [the] <clocktime> [is it]"),
        Row(.time, 20, "what time (is it | it is | it's | do you have | is)"),
        Row(.time, 2, "(what | check) the time [is]"),
        Row(.time, 1, "(have you got | got | you have | you got | you know | have) the time"),
        Row(.time, 2, "(what does the clock say | how late is it | what hour is it | is it late)"),
        Row(.time, 7.5, "what time (is it | it is | it's | is) <in> <place>"),
        Row(.time, 7.5, "what time (is it | it is | it's | is) <place>", .knownPlace),
        Row(.time, 8, "[<what>] [the] <clocktime> [is it] <in> <place>"),
        Row(.time, 2, "(in <place> what time is it | time in <place> | how late is it in <place>)"),
        Row(.time, 0, "(<place> [current | local] time | what is <place> time)", .knownPlace),
        Row(.date, 10, "[<what>] [the | today's] [current | exact] date [today | is it | is it today | for today]"),
        Row(
            .date, 10,
            """
            what (date | day | day of the week | weekday) (is it | it is | it's | is | is today | today is) \
            [today]
            """),
        Row(.date, 3, "(what is today | what's today | which day is it [today] | what day of the month is it)"),
        Row(.date, 3, "(what | which) (month | year | day) (is it | it is | are we in | are we on | is this) [now]"),
        Row(
            .date, 6,
            """
            what (day | date | day of the week | weekday) (is | was | will) [it] [be] [on | for] <date> [be | \
            on]
            """),
        Row(.date, 3, "what (day | date) [of the week] <date> (is | was | will be | falls on)"),
        Row(.date, 3, "is (it | today) <weekday> [today]"),
        Row(
            .date, 1,
            """
            what (is | was | will be) (<date> | the (date | day) [of | on | for] <date> | <date> (date | day))
            """),
        Row(
            .date, 2,
            """
            (what | which) (day | weekday | day of the week) (does | will | did) <date> (fall on | fall | land \
            on)
            """),
        Row(
            .date, 2,
            """
            on (what | which) (day | weekday | day of the week) (is | was | will | does | did) <date> [be | fall \
            | on]
            """),
        Row(.date, 1, "when is <date>"),
        Row(
            .date, 4,
            """
            (what day | what date | what is the date | what is the day | what is today's date) [is it | today | \
            is] in <place>
            """),
        Row(
            .daysUntil, 4,
            """
            how (many (days | weeks) | long | many (days | weeks) are there | long is it) [left] (until | till | \
            to | before | til) <date>
            """),
        Row(
            .daysUntil, 3,
            """
            how (many days | many days are | long is it) (left | there) [until | till | before] <date>
            """),
        Row(.daysUntil, 2, "(how many days | how far) [away] is <date> [away]"),
        Row(.daysUntil, 1, "(days | number of days | countdown | count down) (until | till | to) <date>"),
    ]

    private static let timers = [
        Row(.setTimer, 20, "<start> [<a>] timer [on] (for | of | to) <duration> [<called> <label>]"),
        Row(.setTimer, 10, "<start> [<a>] <duration> timer [<called> <label>]"),
        Row(.setTimer, 6, "<start> [<a>] [timer for] <label> timer (for | of) <duration>"),
        Row(.setTimer, 3, "<start> [<a>] timer <called> <label> (for | of) <duration>"),
        Row(.setTimer, 2, "<start> [<a>] <duration> <label> timer"),
        Row(
            .setTimer, 3,
            """
            ([<onemore>] timer [for | of] <duration> | [<onemore>] <duration> timer) \
            [<called> <label>]
            """),
        Row(
            .setTimer, 0,
            """
            (<label> timer [for] <duration> | timer <label> <duration> | <start> [<a>] timer <duration>)
            """),
        Row(
            .setTimer, 1,
            """
            (count down | countdown | time | <start> [<a>] countdown) [me] [from | for | of] <duration>
            """),
        Row(
            .setTimer, 3,
            """
            (let me know | tell me | remind me | wake me | wake me up | alert me | ping me | beep) (in | after) \
            <duration>
            """),
        Row(.setTimer, 1, "(remind me | tell me) (in | after) <duration> to <task>"),
        Row(.setTimer, 1, "(remind me | tell me) to <task> in <duration>"),
        Row(.setTimer, 2, "<start> [<a>] timer"),
        Row(
            .timeLeft, 6,
            """
            how (much time | long | much longer | many minutes) [is | are | does | do i have] \
            (<remaining> [on | for] [<thetimer> | it] | [on | for | does] <thetimer> [have] [<remaining>] \
            | it [have] <remaining>)
            """),
        Row(
            .timeLeft, 4,
            """
            how (much time | long | much longer | many minutes) [is | are | does] [<remaining>] [on | for | \
            does] <my> (<label> | <duration>) timer [have] [<remaining>]
            """),
        Row(
            .timeLeft, 4,
            """
            (how long | how much longer | how much time | how many minutes) [is left] (until | till | before) \
            <my> [<label>] timer (is done | is up | ends | goes off | rings | finishes | runs out | is over)
            """),
        Row(
            .timeLeft, 3,
            """
            (when | what time) (does | will | is) <my> [<label>] timer (end | go off | ring | finish | done | up \
            | be done | run out | going off)
            """),
        Row(
            .timeLeft, 3,
            """
            (check | what about | how about | how is | status of | what is left on | <what> [the] time [left | \
            remaining] on | what is the status of) <my> [<label>] timer [doing | going]
            """),
        Row(.timeLeft, 1, "(time | how much is) (left | remaining) [on <my> [<label>] timer]"),
        Row(
            .timeLeft, 1,
            """
            is <my> [<label>] timer (done | finished | over | up | [still] running | [still] going) [yet]
            """),
        Row(
            .listTimers, 4,
            """
            [<list>] [all] [of] [my | the] [active | running | current] timers [i have | that are running]
            """),
        Row(
            .listTimers, 4,
            """
            (what | which | how many) timers (do i have | are running | are there | are set | are active | have \
            i set | are on | did i set) [running | set | on]
            """),
        Row(
            .listTimers, 2,
            """
            (are there any | do i have any | is there a | do i have a | any) (timer | timers) [running | set | \
            on | active]
            """),
        Row(.cancelTimer, 8, "<end> [<my> | my current] timer"),
        Row(
            .cancelTimer, 4,
            """
            (<end> [<my>] (<label> | <duration>) timer | <end> [<my>] timer for [the | my] (<label> | \
            <duration>))
            """),
        Row(
            .cancelTimer, 4,
            """
            <end> (<all> timers | <all> timer | my timers | the timers | timers | everything)
            """, .all),
        Row(.cancelTimer, 1, "<end> (all of them | them all)", .them),
        Row(.cancelTimer, 0, "<end> (both | all) of (them | these | those)", .them),
        Row(.cancelTimer, 1, "i do not need (the | any | my) timers anymore", .all),
        Row(.cancelTimer, 1, "(forget [about] | i do not need | never mind) <my> [<label>] timer [anymore | any more]"),
        Row(.cancelTimer, 0, "<end> [<my>] (<duration> <label> timer | timer for <task>)"),
        Row(.cancelTimer, 1, "turn <my> [<label>] timer off"),
    ]

    private static let alarms = [
        Row(.setAlarm, 16, "<start> [<a>] alarm <when> [<called> <label>]"),
        Row(.setAlarm, 3, "<start> [<a>] <label> alarm <when>"),
        Row(.setAlarm, 3, "<start> [<a>] <clock> alarm [[for | on] <date>] [<called> <label>]"),
        Row(.setAlarm, 2, "<start> [<a>] alarm <called> <label> <when>"),
        Row(
            .setAlarm, 10,
            """
            (wake me up | wake me | get me up | i (need | want | have) to (wake up | get up | be up)) <when>
            """),
        Row(.setAlarm, 2, "[<onemore>] alarm <when> [<called> <label>]"),
        Row(.setAlarm, 1, "(remind me | tell me) to <task> <when>"),
        Row(.setAlarm, 1, "(remind me <when> to | <start> [<a>] reminder <when> to) <task>"),
        Row(.setAlarm, 1, "<start> [<a>] alarm"),
        Row(
            .listAlarms, 4,
            """
            [<list>] [all] [of] [my | the] [active | current] alarms [i have | for tomorrow | that are set]
            """),
        Row(
            .listAlarms, 4,
            """
            (what | which | how many) alarms (do i have | are set | are there | have i set | are on | did i set \
            | are active) [set | on | for tomorrow]
            """),
        Row(
            .listAlarms, 3,
            """
            (are there any | do i have any | is there an | do i have an | any | is my | is the) (alarm | alarms) \
            [set | on | active] [for tomorrow]
            """),
        Row(
            .listAlarms, 3,
            """
            (when | what time | for when | for what time) (is | does | will | did i set) (my | the) [next] alarm \
            [set for | set | go off | ring | going off | for]
            """),
        Row(.cancelAlarm, 8, "<end> [<my>] [next] alarm"),
        Row(
            .cancelAlarm, 4,
            """
            (<end> [<my>] (<label> | <clock>) alarm | <end> [<my>] alarm (<when> | for [the | my] <label>) | \
            <end> [<my>] <clock> alarm [for | on] <date>)
            """),
        Row(.cancelAlarm, 0, "<end> [<my>] (alarm for ([the | my] <label> | <task>) | <label> alarm) <when>"),
        Row(.cancelAlarm, 1, "(<end> [<my>] alarm [for | on] <date> | <end> <date> alarm)"),
        Row(.cancelAlarm, 4, "<end> (<all> alarms | <all> alarm | my alarms | the alarms | alarms)", .all),
        Row(
            .cancelAlarm, 1,
            """
            (forget [about] | i do not need | never mind) <my> [<label> | <clock>] alarm [anymore | any more]
            """),
        Row(.cancelAlarm, 1, "(turn <my> [<label> | <clock>] alarm off | do not wake me [up] [<when>])"),
    ]

    private static let numbers = [
        Row(.calculate, 40, "<calculate> <calculation> [equal | equals | equal to | make | come to]"),
        Row(
            .calculate, 6,
            """
            <plainCalculation> [equals | equal | is | is what | is how much | equals what | makes what | =]
            """),
        Row(.calculate, 0, "<calculate> <calculation> (= | come out to)"),
        Row(.calculate, 2, "[what is] <number> is what (percent | percentage) of <number>", .partFirst),
        Row(.calculate, 2, "what (percent | percentage) of <number> is <number>", .wholeFirst),
        Row(
            .calculate, 2,
            """
            (what (percent | percentage) is <number> of <number> | <number> is how many percent of <number>)
            """, .partFirst),
        Row(.convert, 16, "how many <unit> [<are>] [in | is | are in | to] <quantity>"),
        Row(.convert, 12, "<convert> <quantity> <into> <unit>"),
        Row(.convert, 12, "<measure> <quantity> <into> <unit>"),
        Row(
            .convert, 4,
            """
            (<quantity> <into> <unit> | <quantity> (is | are | equals | =) how many <unit> | <quantity> how many \
            <unit>)
            """),
        Row(
            .convert, 3,
            """
            how (much | many) (is | are | does | do) <quantity> [equal | make | come to | weigh] <into> <unit>
            """),
        Row(.convert, 3, "how many <unit> (does | do) <quantity> (have | equal | make | contain | come to)"),
    ]

    private static let speech = [
        // The commonest phrases, which a recogniser must prefer.
        Row(.stop, 8, "(stop | be quiet | stop talking)"),
        Row(.repeatAnswer, 8, "(repeat that | say that again)"),
        Row(.speakSlower, 8, "(slower | slow down | speak slower)"),
        Row(.speakFaster, 8, "(faster | speak faster | talk faster)"),
        Row(.help, 8, "what can you do"),
        Row(.lastQuestion, 8, "what did i ask"),
        Row(.raiseVolume, 8, "(louder | turn it up | volume up)"),
        Row(.lowerVolume, 8, "(quieter | turn it down | volume down)"),
        Row(.mute, 8, "(mute | mute the sound)"),
        Row(.unmute, 5, "(unmute | unmute the sound)"),
        Row(
            .spell, 10,
            """
            (how do you | how do i | how does one | how to | how would you | how is) ((spell | spelled | spelt) [the \
            word | the name] | write (the word | the name)) <word> [spelled | spelt]
            """),
        Row(.spell, 6, "spell [out | the word | the name | for me] <word> [out | correctly | out loud]"),
        Row(
            .spell, 3,
            """
            (what is the spelling | <what> the [correct] spelling | the spelling | spelling) (of | for) [the \
            word] <word>
            """),
        Row(.spell, 1, "how (is | do people) [the word] <word> (spelled | spelt)"),
        Row(
            .raiseVolume, 10,
            """
            (turn <thevolume> up | turn up <thevolume> | turn it up | <thevolume> up | turn up) [<by> <percent>] \
            [a bit | a little | a little bit | some more]
            """),
        Row(
            .raiseVolume, 8,
            """
            (raise | increase | boost | pump up | bring up | crank up) (<thevolume> | it) [<by> <percent>] [a \
            bit | a little]
            """),
        Row(
            .raiseVolume, 6,
            """
            ([speak | talk | make it | go | be | get | say it] [much | a bit | a little] louder | speak up | \
            more volume | higher volume | <turn> <thevolume> (higher | louder))
            """),
        Row(
            .raiseVolume, 2,
            """
            ([i] can not hear you [very well | well] | i can barely hear you | you are too quiet | that is too \
            quiet | it is too quiet)
            """),
        Row(
            .lowerVolume, 10,
            """
            (turn <thevolume> down | turn down <thevolume> | turn it down | <thevolume> down | turn down) [<by> \
            <percent>] [a bit | a little | a little bit | some more]
            """),
        Row(
            .lowerVolume, 8,
            """
            (lower | decrease | reduce | bring down | drop) (<thevolume> | it) [<by> <percent>] [a bit | a \
            little]
            """),
        Row(
            .lowerVolume, 6,
            """
            ([speak | talk | make it | go | be | get] [much | a bit | a little] (quieter | softer | more quietly \
            | more softly) | less volume | lower volume | not so loud | less loud | <turn> <thevolume> (lower | \
            quieter | softer))
            """),
        Row(.lowerVolume, 2, "(you are too loud | that is too loud | it is too loud | that is loud | too loud)"),
        Row(.setVolume, 12, "[<turn>] <thevolume> ([to | at | level] | (up | down) to) <percent>"),
        Row(.setVolume, 2, "(turn it (up | down) to | set it to) <percent>"),
        Row(
            .setVolume, 3,
            """
            ([<turn>] <thevolume> [up | all the way up] [to | at] [the] (max | maximum | full | highest | full \
            volume) | (full | maximum | max) volume | turn it all the way up | turn <thevolume> all the way up | \
            <turn> it to the max)
            """, .fixed(100)),
        Row(
            .setVolume, 2,
            """
            (half volume | [<turn>] <thevolume> [to | at] (half | half way | halfway | fifty fifty | medium))
            """, .fixed(50)),
        Row(.setVolume, 1, "([<turn>] <thevolume> [to | at] [the] (minimum | min | lowest))", .fixed(10)),
        Row(
            .tellVolume, 3,
            """
            (what is <thevolume> [level | at | set to] | how loud are you | what volume (is it at | are you at | \
            is it) | what is your volume)
            """),
        Row(
            .mute, 5,
            """
            (mute | mute (it | yourself | the sound | the volume | the audio | everything | the speaker | the \
            speakers | this) | (turn | switch) (off the sound | the sound off | the volume off | off the volume) \
            | sound off | volume off | no sound | silence the sound | go silent | go mute | turn the volume all \
            the way down)
            """),
        Row(
            .unmute, 5,
            """
            (unmute | unmute (it | yourself | the sound | the volume | the audio | everything | the speaker | \
            the speakers) | (turn | switch) (on the sound | the sound [back] on | the volume [back] on | back on \
            the sound) | sound on | sound back on | stop muting | un mute | volume on)
            """),
        Row(
            .repeatAnswer, 8,
            """
            (<utter> (that | it | this | the answer | the last answer | your answer | your last answer | \
            yourself | what you said | what you just said) [again | once more | one more time] | repeat [please] \
            | repeat again)
            """),
        Row(
            .repeatAnswer, 4,
            """
            (say again | again | once more | one more time | come again | pardon | pardon me | what did you \
            [just] say | what was that | i did not (hear | catch | get) (that | you | it) | sorry what | what | \
            excuse me what did you say | i beg your pardon | say what | i missed that)
            """),
        Row(
            .stop, 6,
            """
            (stop [it | that | talking | speaking | this | there | everything | now | reading] | be quiet | be \
            silent | quiet | silence | shut up | hush | enough | that is enough | that's enough | that will do | \
            never mind | nevermind | cancel [that | it | this] | forget it | forget that | abort | halt | shush \
            | stop stop | zip it | do not say any more | stop what you are doing)
            """),
        Row(
            .speakSlower, 6,
            """
            ([speak | talk | go | read | say it | say that | be] [again] [much | a bit | a little] (slower | \
            more slowly) [again] | slow down [a bit | a little] | not so fast | (speak | talk | go | say it | \
            say that | repeat that) slowly | you are too fast | that is too fast | you (talk | speak | are \
            talking | are speaking) too fast | (speak | talk) less quickly)
            """),
        Row(
            .speakFaster, 6,
            """
            ([speak | talk | go | read | say it | say that | be] [much | a bit | a little] (faster | quicker | \
            more quickly) | speed up [a bit | a little] | not so slow | not so slowly | hurry up | you are too \
            slow | that is too slow | you (talk | speak | are talking | are speaking) too (slow | slowly))
            """),
        Row(
            .help, 6,
            """
            (what can you do | what can i ask [you] | what can i say | what do you do | help | help me | what \
            are you able to do | what are your (skills | commands | abilities | features | functions | \
            capabilities) | what can you (help me with | help with | tell me | answer | understand) | what \
            (things | kinds of things | sort of things | else) can you do | how can you help [me] | what kind of \
            questions can i ask [you] | what questions can i ask [you] | what do you understand | how do you \
            work | how do i use you | list [your] commands | show me what you can do | what are my options | \
            what you can do | what all can you do | what i can (ask | say) [you])
            """),
        Row(
            .lastQuestion, 5,
            """
            (what did i [just] (ask | say) [you] [last | before | just now | earlier] | what was (my | the) \
            (last | previous) (question | query) | what was my question | what have i [just] asked [you] | \
            (repeat | read back) my [last] question | what was i asking | what was it i asked | what was the \
            last thing i (asked | said) [you] | which question did i [just] ask | [remind me] what i [just] \
            asked [you])
            """),
    ]
}
