// SPDX-License-Identifier: MIT

/// Phrases that are only typed: seldom ones, which would make a recogniser less certain of the others.
extension PhraseTable {
    static let typed = [
        Row(.time, 0, "[<what>] [the] current local time [is it] [<in> <place>]"),
        Row(.time, 0, "(what hour is it | got the time) [<in> <place>]"),
        Row(.date, 0, "(what | which) (day | weekday | day of the week) (does | will) <date> fall on [this year]"),
        Row(
            .daysUntil, 0,
            """
            how many [more] (days | sleeps | nights) [are there | are left | do we have | do i have] [left | to go] \
            (until | till | before | to) <date>
            """),
        Row(
            .daysUntil, 0, "[how many] days [are there | are] (between | from) (now | today) (and | to | until) <date>"),
        Row(.daysUntil, 0, "(count | count down) the days [from today | from now] (to | until | till) <date>"),
        Row(.daysUntil, 0, "how far (away | off) is <date>"),
        Row(.setTimer, 0, "(let me know | tell me | alert me | ping me) when <duration> <isover>"),
        Row(.setTimer, 0, "(in | after) <duration> (remind | tell) me to <task>"),
        Row(.timeLeft, 0, "how long does <my> [<label> | <duration>] timer [still] have [left | to go]"),
        Row(.timeLeft, 0, "what is left (on | of) <my> [<label> | <duration>] timer"),
        Row(.timeLeft, 0, "when is <my> [<label>] timer going to (go off | end | ring | be done | finish)"),
        Row(.timeLeft, 0, "is <my> [<label>] timer (almost | nearly) (done | over | up | finished)"),
        Row(.listTimers, 0, "(do i have | have i got | are there) any timers [going | running | set | on]"),
        Row(.listTimers, 0, "(what | which) timers (have i got | do i have) [on | going | running]"),
        Row(.listAlarms, 0, "(check if | see if | have) i (have got | have | got) (an alarm | any alarms) [set | on]"),
        Row(.setAlarm, 0, "<start> me an alarm <when> [<called> <label>]"),
        Row(.spell, 0, "what is the (right | correct | proper) spelling (of | for) [the word] <word>"),
        Row(
            .raiseVolume, 0,
            """
            (bump | crank | push | pump) (<thevolume> up | up <thevolume> | it up) [[by] <percent>] [a bit | a little]
            """),
        Row(.raiseVolume, 0, "(turn <thevolume> up | turn up <thevolume> | <thevolume> up) <percent>"),
        Row(.lowerVolume, 0, "(turn <thevolume> down | turn down <thevolume> | <thevolume> down) <percent>"),
        Row(.tellVolume, 0, "how (loud | high) is (<thevolume> | it) [set] [at | to]"),
        Row(.tellVolume, 0, "(what percent | what percentage | what level) [is] <thevolume> [is] (on | at | set to)"),
        Row(.mute, 0, "mute (the computer | the pc | my computer | this computer)"),
        Row(.unmute, 0, "(take (it | the sound | the volume) off | turn off | end | no more) (mute | muting)"),
        Row(.stop, 0, "(that is enough | enough | you can) [you can] stop [talking | it]"),
        Row(.speakSlower, 0, "slow down [a little | a bit] when you (speak | talk)"),
        Row(
            .speakFaster, 0,
            "(speed up | pick up) (your (voice | speech | reading | talking) | the pace) [a bit | a little]"),
        Row(.help, 0, "what (kind | kinds | sort | sorts) of (things | stuff | questions) can i (ask | tell) you"),
        Row(
            .help, 0,
            """
            (give me a list of | list | show me | explain) (what you [can | know how to] do | everything you can do | \
            what i can ask)
            """),
        Row(.lastQuestion, 0, "i forgot what i [just] (asked | said) [you]"),
    ]
}
