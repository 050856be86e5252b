// SPDX-License-Identifier: MIT

/// Words and names that are spelt nearly like a known one and are never read as a misspelling of it.
///
/// These are the words of a large English pronouncing dictionary that are within the tolerance of ``NameIndex`` or of
/// ``Vocabulary``, without those that are only a form or a frequent misspelling of the known word.
enum OtherWordTable {
    static let set: Set<String> = {
        var words: Set<String> = []
        words.reserveCapacity(1200)
        Vocabulary.forEachWord(table) { words.insert($0) }
        return words
    }()

    private static let table: StaticString = """
        abort abott abou aboud abut addicted adkisson admired admittedly advanta agustin aine airline alban albani
        albank albano albans alice allante allen allocated amine april aragona aransas argueta arianna arouse
        ashville atacama atalanta atlantan atlantans atlantica august auguste augustin augusto augustus augustyn
        austen auston baggett baird baise baiting balling banding banging banking banning bard barrington basting
        baston batting beast beating bedlington belling belting bending benning bensing benzing besting betweens bid
        bids biggers biggies bigness bild bilings bilking billing billinger billingsly billington billions billips
        biltmore bind binding bindings binds binging binning biovest bir bires birk birks biro biros birr birt
        bitting blethen bloated blosser bloxsom bluebeard bluemel blunting blushed blushes boase boating boese
        boggess boice boies boike boisen bolling bolting bolton bonding boose booting booton borse borton bosse
        boton botting bouncing bounding bouse bouton bowse brenton bridgeford bridgeforth brington brouse bruington
        bruning bruting bucking budding budging buening buesing buffington bugging bugling buildings bulging
        bullington bullins bumping bunching bundling bungling bunning buntain buntin buoying burd burling burning
        burping burrington bursting burying bussing bustin busting bustling butting buzzing byrd camilla camilli
        canter capable capella capelli capita capitalism capitalist capitan capitano capito capstan captain captains
        caption cardenas cardiac cardiel cardigan cardinali cardona carella carelli carleton carlotta carlston
        carmical carnathan carnival carolina caroline carolyn casella caselli cat catelli cats causation cawthorn
        cayenne celena censer centel centex centner charette charlestown charlot charlson charlton charrette chicano
        chimayo cite cites citi clever clicker cliver cloer closer clove cloves clower coastal colcord colford
        collado coloradan colored coloreds columba columbian columns colver combine comella concern concert conchoid
        concoct concorde concurs condors conform connecting connection connections connective connectivity connors
        consort contort coordinator coordinators coover cordial coronado coronation corrado cortland coston coty
        coull cover creation crouse crow dagwood daisy dakota dashville deaver december dees defrost degroat degroot
        delamar delawder delftware denker denner denser denzer deorbit des describes detract dies digital distant
        distaste distinct diver dober docs doe doer doers dog dogs doles dols domer domes doner dones dons dorer dos
        dose doser doses doss dots dovel doves dovey dower dozes drover dues dustin dyes eagle ease eash eastburn
        eastend easter easterlin easterner eastman eighteen eighty elena eleven elicker elocution epstein est estate
        estates falcon fancher faragher farago farge farrier farro fathers faucher feast feaster feather february
        feickert ficker fifteen fifty filch fillings finck fiorina fisch fitch flickered flickr flinch flinner
        flipper floated floaters flocked flom florer floria florian florid florinda florine florini florist
        flotation flowe flowed fluoride folders folgers folkers followers fontana forgo fortier fortner forty
        fourteen fowers frago fraleigh frasher fricker frickey friday fro frog froh frome fromm frucher frum fulcher
        furches furrier furthered furthers futher geordie george georges georgi georgian georgiana georgians georgie
        georgina georgine georgio georgiou gibe gide gile gillings giorgia giorgio gipe gire giver gloated glover
        goldenson goldfine goldfish gove grose grosse groupe groused gustin hackford hade hafford hage haha hake
        hale halford hallford halston halve hampshire handford hane hanford hannah hansford hanthorn hare harford
        harry harston hartshorn hartsville hartwood harve hase hate hathorn hathorne havel haver haves havey hawe
        hawk hawthorne haye hayford haze heaston heave helen helene helens helle hemlo hennessee henthorn hereford
        herford hesston hive hodsdon hogston hogwood hollo hollywood holsten holston hospital houghton houlton
        housden housman hove hueston hundred hunting hurford hurston huston iambic indianola indians indicia
        informatic informatics informational informative iola iona iota iowans jacklin jacklyn jackman jackpot
        jacobson jameson jamison jansson january jasmine jersey joiner joines jointed july june justin kangas kansai
        keast killings knew knob knop knot knox knoy krouse kuow lacking lactation ladling lagging lambing lamping
        lancing landing landings landini landino laning lanning lanting lapping lapsing largely largent largess
        largesse lashing laska lastest lasting lauding laziest leaning leasing lecates leising lending lenning
        lensing lessing licker ligation lilah linking loaning loathed locales locator logwood lol longest longing
        loosing lopatin lossing louis lover lunging maddison made madelon madigan madson magic magnesia maile
        mailson main maina mainland maino mains mainz maione maire maison maitland maize make maker makinson males
        maline mallison mane manne manolis mansion march marchand marine markland markson marland marplan marquand
        marshland marsland marulanda maryann marylin mathison mattison mattson maune maxine may mayland mayne
        meadowland meine melican mercland michael mies miguel mikes mikles milas milem miler miley milks milligan
        million mills milnes milos mils mines mires mises mississippians mites mixes moles moncada monday monica
        montage montagna montagne montagu montanari montanaro montand montanez montano montante montanye montenay
        montini montone montoya moreland morgana morison morland mortara mortland mules murkland mustin myles nace
        nale nam namer nase nate nave network nevala newborn newkirk newmark newport nineteen ninety noeth nome
        norah norte northerner northey november obregon october odes officiate officio ohm ohms olympiad olympiads
        olympian olympians olympias olympic olympics olympus omara orbin orchid oregano orelon orlando ortegon
        overdrew owl parkland paul peasant peasants pease pellicane pellicano pellman penny pentland peons peppy
        periman phony piccone pierce pierie pierro platitude platitudes pleas pleasant pleasants pleased pleaser
        pleases plover polland poppa poppe populace populate populating portend portman postal poston postulated
        potter prominence prouse provident puppy quaid quain quentin questioner questran questrom rabin raven
        razaleigh recover reincarnation renton richemont richford richland richman richton robbin robia robie robina
        roblin robyn rodin rofin rogin rolin ronin rosin roston rouse rowin rubin runion rustin sacrament
        sacramental sacraments safflower salam saleem saleh salek salema salemi sales salguero salim sandage sansing
        santa santala santana santone santore sarmento  sates sattler saturday scates scuttle seawell selena
        september settler settles seventeen seventy shave shouli shuttle sixteen sixty skate skates skittle slate
        slates slicker slover smiles smittle solem sough southard southerner southers southin souths souto sparrow
        spate spates spittle springs stade stage stages stagnaro stake stakes stale stare stares startle stated
        staten stater staters stats statue statues status statz stave staves steagall stell stites strate
        stringfield strings stringy stutes sunday suthers syring syringe syringes tall tank tanks taunton taxes teal
        teall teas teast teaster teel tele tello tells telly texts thacher thane thang thanh thano thanos think
        thinks thirteen thirty thousand thrash thrashed thrashes thresh thresher thrust thruster thunk thursday till
        toll trafton trashed trashes treason treetop trentman treptow trettin tuell tuesday tulip tull turlington
        tustin twelve twenty unison utahn valmont varmint verdant verdone vermouth veronica vigilia viole violent
        violeta violett virgilio virginal virginians virginity virgins waddington wadlington wandering wanderings
        warbington warming warrington washing wasters watlington weast weathington webster websters weddington
        wednesday weich weist welt went wept werst wert wes wesat wesp wess westberg westech westen wester westerman
        westerner westerns westman westmin wet wethington wetstein wham whate wheat whet whew whey whit whole whore
        wien wiggington wigington wilhite wist wold wooding woodington woodring wormington worthington wound wrest
        wuest yeast yelena york
        """
}
