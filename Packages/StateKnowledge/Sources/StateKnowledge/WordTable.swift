// SPDX-License-Identifier: MIT

/// The words of questions by role; see ``WordRole``.
enum WordTable {
    static let roles: [(StaticString, WordRole)] = [
        ("state states stateside statewise commonwealth", .state),
        (
            """
            official officially symbol symbols symbolic symbolize symbolizes symbolise symbolises emblem emblems
            emblematic designated designate adopted adopt adopts chosen choose chooses chose picked pick picks selected
            select selects represent represents representing represented representative stand stands honor honors
            honored claim claims declared declare use uses used using boast boasts mascot badge recognized recognised
            recognize count counts share shares shared sharing associated identified signifies denotes proclaimed proclaims nominated
            symbolized symbolised symbolizing special statute decreed assigned embodies embodied
            """, .emblem
        ),
        ("america american usa union unions", .country),
        (
            """
            about overview info information facts fact describe description summary rundown lowdown gist summarize summarise details detail
            profile everything anything something explain learn introduce introduction basics know known
            """, .overview
        ),
        ("capital capitals capitol capitols statehouse", .topic(.capital)),
        ("bird birds birdie birdy avian fowl songbird songbirds", .topic(.bird)),
        (
            """
            flower flowers blossom blossoms bloom blooms floral plant plants wildflower wildflowers flora botanical
            """, .topic(.flower)
        ),
        (
            """
            joined join joins joining admitted admit admits admission admittance admitting statehood enter enters
            entered entering entry entrance accede acceded accession ratify ratified ratifies ratifying ratification
            """, .topic(.admission)
        ),
        (
            """
            located locate location locations locating coordinates coordinate latitude longitude lat lon lng
            center centre centers centres middle map maps position positioned situated situate lie lies lying
            geographic geographical geographically whereabouts gps midpoint centroid pinpoint
            """, .topic(.location)
        ),
        (
            """
            dallas miami orlando tampa antonio francisco diego jose cincinnati cleveland memphis knoxville tucson mesa
            scottsdale reno spokane tacoma eugene anaheim oakland fresno pittsburgh allentown buffalo rochester
            syracuse savannah greensboro durham shreveport birmingham mobile tulsa norman evansville rockford peoria
            dayton toledo akron duluth bloomington fairbanks hilo bangor lewiston worcester cambridge lowell rapids
            flint stamford haven myrtle fayetteville gary paso worth missoula bozeman boulder aurora laramie casper
            pocatello provo ogden norfolk arlington bethesda dubuque davenport hutchinson lawrence
            """, .otherCity
        ),
        ("city cities town towns metropolis municipality citys metro metropolitan urban", .city),
        ("largest biggest most populous populated bigger larger highest greatest greater hugest", .largest),
        (
            "population people inhabitants residents citizens populations census populace live lives living reside",
            .inhabitants
        ),
        (
            "government governments governmental govt legislature legislatures lawmakers legislators administration",
            .government
        ),
        (
            "seat seats seated sit sits sitting based headquartered headquarters meet meets governed administered run houses housed",
            .seat
        ),
        (
            """
            become became becomes becoming made formed created established turned turn gain gained gaining achieve
            achieved attain attained attaining earn earned begin began begins start started starts came brought accepted added granted
            receive received approved approve welcomed attains
            """, .becoming
        ),
        ("when year years date dates since old age ago", .time),
        ("where abouts", .place),
        ("who why how many number order rank", .asking),
        (
            """
            far distant distance distances miles mile kilometers kilometres kilometer kilometre km kms apart away separates
            separate separated separating mileage mi
            """, .distance
        ),
        ("north northern northerly northward northwards norther", .compass(.north)),
        ("south southern southerly southward southwards souther", .compass(.south)),
        ("east eastern easterly eastward eastwards", .compass(.east)),
        ("west western westerly westward westwards", .compass(.west)),
        ("northernmost northmost", .extreme(.north)),
        ("southernmost southmost", .extreme(.south)),
        ("easternmost eastmost", .extreme(.east)),
        ("westernmost westmost", .extreme(.west)),
        ("first earlier earliest older oldest sooner original", .order(early: true)),
        ("last later latest younger youngest newer newest recent recently", .order(early: false)),
        ("farther further farthest furthest", .comparative),
        ("than between before after compare comparing compared versus relative prior", .relation),
    ]

    /// Grammar, politeness, and ways to ask.
    static let function: StaticString = """
        a an the this that these those is are was were be been being am do does did doing done has have had having
        can could would will shall should may might must of in on at to for from by with within inside as and or but
        so if then it its itself they them their theirs he she his her hers we our ours us you your yours i me my
        mine myself one ones there what which whose whichever whatever whom please kindly thank thanks hello hi hey
        hiya greetings good morning afternoon evening day sir madam maam excuse pardon sorry bother mind telling
        tell told give giving given show showing name names named naming call called calling know knowing knows find
        finding get getting want wants wanted need needs needed like wish wonder wondering wondered curious ask asks
        asking asked question questions answer answers list lists listing identify identifies provide say ok okay
        yes yeah yep yo oh ah um uh er hmm hm umm uhh well now right alright also too just really actually exactly
        precisely currently current present both each every either all any some another more lot let lets see look
        looking lookup search check remind reminds remember recall forgot forgotten forgetting help helps assist
        able possible possibly maybe perhaps again quick quickly quickie simple easy specific specifically
        particular particularly properly proper correct correctly term terms word words namely regarding concerning
        respect respectively plus together along per via kind sort type types considered considers consider
        described serves serve serving served functions function acts happens happen comes come belongs belonging
        contain contains featuring features feature such thing things thingy stuff item pair couple two three four
        five six dear buddy dude man bro mate pal friend folks guys siri alexa google computer assistant parley
        robot bot machine mister mrs grateful appreciate appreciated appreciates appreciation advance obliged speak
        speaking moment minute here kindness wont welcome bye goodbye cheers confused unsure sure certain certainly
        definitely surely suppose supposed believe guess guessing hear heard quite bit rather still yet ever always
        anyone anybody somebody someone everybody out up wonderin askin tellin lookin wanting interested interests
        interest hoping hope shorthand brief briefly shortly full fully complete completely very much fun
        interesting cool neat amazing ready real talk over part course constitution idea ideas clue clues trying try
        figure figuring solve solving enlighten enlightening supply supplies specify mention mentions determine spit
        request requesting require required seek seeking searching refresh memory tip tongue case anyway anyways btw
        fyi lol haha awesome yup sup wassup sweetie honey genius serious seriously honest honestly jeopardy bonus
        round points place places spot site spots keep keeps forget yall aint gotcha into came brought accepted
        added granted receive received calls thought thinking straight line direct directly roughly approximately
        reach reaching else great circle furnish got id ill n r short belonged through belong true found month months inform informs informing beautiful pray ought wonders lovely nice desperately badly truly literally
        basically essentially obviously apparently supposedly often usually generally commonly formally popularly
        locally presently nowadays days moreover furthermore additionally next finally lastly detailed available
        anyhow somehow someplace somewhere checking checked verify verifying double doublecheck hint hints choices
        choice option options amongst amid throughout nearly almost means meant mr hopefully desired expected
        expecting expect understand understanding realize realise seem seems seemed appear appears appearing mighty
        super totally absolutely perfectly eh huh mm mhm aha ahh ooh oops darn gosh geez jeez wow hooray yay hurray
        pals gentlemen ladies bless
        o knew nobody neither none whether upon only whatever never fetch concern concerns concerning listen wondered long own remembers recalls
        rn omg idk idc tbh ngl lmao lmfao rofl smh imo imho ikr ty tysm thnx thnks thanx plzz plss bruh fam sis
        oi ugh meh duh damn damned dang heck freaking freakin bloody arr arrr arrgh yarr argh ahoy avast matey mateys
        hearties ye thee thou thy thine doth dost hath prithee beseech whilst whence aye nay forsooth verily milady
        milord blimey crikey goodness gracious heavens tis twas hark lo behold yonder deaf dumb stupid tho though bunch heaps tons landlubber landlubbers slowpoke dummy fellow
        gonna pretty kind mistaken unless correctly hmmm hmmmm ummm uhm erm welp yikes aw aww sheesh psst hullo heya
        hola sweetheart darling love dearest beloved bestie homie dawg sayeth says said asks 
        claims reckon reckons thinks announce recite review pop shoot hit fire quickly cheerio ta merci gracias danke por favor bonjour hola aloha howdy salutations
        """

    /// Reasons to ask.
    static let context: StaticString = """
        homework assignment school schools class classes classroom teacher teachers professor student students study
        studying studied studies quiz quizzes quizzing test tests exam exams project report essay paper trivia
        crossword puzzle riddle game games contest pub night tonight today tomorrow tomorrows yesterday week weekend
        kid kids child children son daughter brother sister mom mommy mother dad daddy father grandma grandpa
        grandmother grandfather wife husband boss colleague colleagues roommate cousin uncle aunt grandson
        granddaughter nephew niece grade grader because bet betting argue arguing argument settle debate debating
        discussing discussion conversation go going trip trips travel traveling travelling traveler vacation holiday
        road drive driving drove roadtrip tour touring visit visiting visited visits visitor move moving moved
        relocating relocate planning plan plans planned heading headed raised grew grandparents parents family work
        working job jobs write writing wrote fill filling form application apply book learning learned learnt teach
        teaching taught memorize memorizing memorise practice practicing practising presentation slides poster
        flashcards lesson lessons postcard stamp stamps collecting collection curious curiosity fun bored pop mix
        confuse mixed blanked blank mind stuck struggling trouble difficult love loved urgent urgently asap hurry
        fast soon immediately emergency geography history civics bee flashcard worksheet puzzles riddles round young
        lady gentleman retired immigrant citizenship citizen newcomer pen pal penpal packing driver truck trucker
        pilot sailor army navy veteran blog article podcast speech club scout scouts camp camping hike hiking summer
        winter autumn christmas easter thanksgiving birthday dinner lunch breakfast bedtime awake drunk tired lazy
        honeymoon tattoo shirt mug sticker quilt craft crafts drawing draw coloring colouring mural app assignments
        textbook encyclopedia chapter spelling
        worksheet worksheets handout buzzer buzzers contestant contestants finalist midterm finals semester exercise
        sentence blank multiple item trivial jeopardy quizmaster host show scrapbook midwestern midwest pursuant
        confirmation counsel requests desk record grandkids grandchildren nana papa gran granny mama mum mummy daddys
        mommys teachers loves loved  said told barber sunday monday tuesday wednesday thursday
        friday saturday cause
        """

    /// Words whose misspellings are understood.
    static let correctable: StaticString = """
        capital capitals capitol bird birds flower flowers blossom largest biggest populous populated city cities state
        states official population government admitted admission joined union statehood become became located location
        coordinates latitude longitude center distance between kilometers kilometres miles north south east west
        northern southern eastern western farther further northernmost southernmost easternmost westernmost
        what which whose where when about tell please know could would should name give the question answer information
        describe overview does have from thanks thank hello wondering largest symbol represent represents year become becomes
        joining entered statehood seat legislature apart emblem blossom populous inhabitants northernmost
        """
}
