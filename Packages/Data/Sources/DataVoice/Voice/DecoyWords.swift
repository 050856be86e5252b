// SPDX-License-Identifier: MIT

/// Words that are not about states. With them the recogniser can hear "the capital of france" correctly, and it is then
/// refused, instead of being taken for the nearest state.
enum DecoyWords {
    /// Places that people ask about in the same words as states.
    static let places = """
        france germany italy spain portugal england scotland ireland britain norway sweden finland denmark poland russia \
        ukraine austria switzerland belgium holland hungary greece turkey romania bulgaria canada brazil argentina \
        colombia venezuela jamaica panama china japan korea india pakistan vietnam thailand malaysia singapore indonesia \
        philippines afghanistan iraq israel syria egypt algeria morocco ethiopia kenya nigeria zimbabwe australia africa \
        europe asia antarctica london paris berlin rome madrid vienna moscow tokyo beijing shanghai sydney toronto \
        dublin amsterdam brussels stockholm copenhagen oslo warsaw prague budapest athens istanbul barcelona munich \
        venice geneva jerusalem ontario quebec jupiter
        """.split(separator: " ").map(String.init)

    /// Topics of places and of other things without an answer here.
    static let topics = """
        weather temperature population president governor king queen minister senator mayor currency language religion flag \
        anthem motto song nickname tree animal fish insect river mountain lake ocean forest desert highway airport \
        university team football basketball baseball music movie actor writer author book history war battle economy \
        government tax law price time hour minute date area size height depth weight speed color food recipe
        """.split(separator: " ").map(String.init)

    /// The commonest words of spoken English and of commands to a machine.
    static let common = """
        a about above after again against all almost along already also always am an and another answer any anyone \
        anything are around as ask at away back bad be because bed been before began begin behind being believe below \
        best better between big bird black blue body book both box boy bread bring brother brown build bus but buy by call \
        came can cancel car cat change child children city clean close coat cold come computer convert cook could country \
        cup cut dance day dear degrees did different dinner do doctor dog done door down dream drink drive during each \
        early eat eggs eight eleven email end enough even evening ever every everything eye eyes face fact family far fast \
        father feel feet few field fifteen fifty fight fill find fire first five floor fly follow food foot for forty found \
        four fox friend friends from front full fun funny game garage garden gave get girl give glass go goes gold good got \
        great green ground group had hair half hand happy hard has hate have he head hear heart heavy hello help her here \
        high him his hold home hope horse hot house how hundred i ice idea if in into is it its job joke jump just keep \
        key keys kill kind kitchen knew know lamb lamp last late later laugh learn leave left let letter life light lights \
        like line list listen little live lock long look lost love lunch machine made make man many me mean meat meet \
        meeting message milk million mind miss moment money month moon more morning most mother mouse mouth move much my \
        name near need never new news next nice night nine no noon north nose not nothing now number o'clock of off often \
        oh old on once one only open or order other our out over own page paper park pay people percent phone picture \
        piece place plan play please point poor pretty problem pull push put question quick quiet radio rain ran read \
        ready really red remember repeat rest restaurant right road room round run sad said same saw say school score sea \
        seat second see seem sell send set seven she ship shoe shop shopping short should show shut sing sister sit six \
        skip sleep slow small snow so soft some something son soon sorry soul sound speak stand star start stay still stone \
        stop store story street strong summer sun sure swear table take talk tall taste tea teach television ten than thank \
        thanks that the their them then there these they thing think third thirteen thirty this those though thought \
        thousand three through ticket tickets till timer tired to today together told tomorrow tonight too took top toward \
        town train translate travel tree true try turn twelve twenty two under until up us use very video voice volume \
        wait walk wall want warm was wash watch water way we week weekend well went were what when where which while white \
        who whole why will wind window winter wish with without woman wonder wood word words work world would write wrong \
        yard year years yellow yes yesterday yet you young your zero
        """.split(separator: " ").map(String.init)
}
