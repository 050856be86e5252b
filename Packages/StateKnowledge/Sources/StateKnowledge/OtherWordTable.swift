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
        abort abott abou aboud abut addicted adkisson admired admittedly advanta agustin ahart aine airline alban
        albani albank albano albans alice allante allen allocated amine angered antlered april aragona aransas argueta
        arianna arouse ashville atacama atalanta atlantan atlantans atlantica august auguste augustin augusto augustus
        augustyn austen auston baggett baird baise baiting balling banding banging banking banning bard barrington
        basting baston batting bear beast beat beating beckles bedlington belling belting bending benning bensing
        benzing besting betweens bid bids biggers biggies bigness bild bilings bilking billing billinger billingsly
        billington billions billips biltmore bind binding bindings binds binging binning biovest bir bires birk birks
        biro biros birr birt bitting blethen bloated blosser blossomed bloxsom bluebeard bluemel blunting blushed
        blushes boase boating boening boese boggess bohning boice boies boike boiling boisen bolling bolting bolton
        bonding boose booting booton borse borton bosse boton botting bouncing bounding bouse bouton bowse brenton
        bridgeford bridgeforth brington brouse bruington bruning bruting bucking budding budging buening buesing
        buffington bugging bugling buildings bulging bullington bullins bumping bunching bundling bungling bunning
        buntain buntin buoying burd burling burning burping burrington bursting burying bussing bustin busting
        bustling butting buzzing byrd camilla camilli canter capable capella capelli capita capitalism capitalist
        capitan capitano capito capstan captain captains caption cardenas cardiac cardiel cardigan cardinali cardona
        carella carelli carleton carlotta carlston carmical carnathan carnival carolina caroline carolyn casella
        caselli cat catelli cats causation cawthorn cayenne celena censer centel centex centner charette charlestown
        charlot charlson charlton charrette chicano chimayo cite cites citi clever clicker cliver cloer closer closson
        clove cloves clower coastal coiling coining colcord colford collado coloradan colored coloreds columba
        columbian columns colver combine comella concern concert conchoid concoct concorde concurs condors conform
        connecting connection connections connective connectivity conning connors consort contort coordinator
        coordinators coover cordial corning coronado coronation corrado cortland coston coty coull cover creation
        crouse crow dagwood daisy dakota dashville deaver december decodes dees defrost degroat degroot delamar
        delawder delftware denker denner denser denzer deorbit des describes detract dies digital distant distaste
        distinct diver dober docs doe doer doers dog dogs doles dols domer domes doner dones donning dons dorer dos
        dose doser doses doss dots dovel doves dovey dower downing dozes drover dues dustin dyes eagle ease eash
        eastburn eastend easter easterlin easterner eastman eighteen eighty elena eleven elicker elocution embler
        endeared endured ensured entergy enterra enticed entrees epstein est estate estates falcon fancher faragher
        farago farge farrier farro fathers faucher fear feast feaster feat feather february feickert ficker fifteen
        fifty filch fillings finck fiorina fisch fitch flickered flickr flinch flinner flipper floated floaters
        flocked flom florer floria florian florid florinda florine florini florist flotation flowe flowed fluoride
        foiling folders folgers folkers followers fontana forgo fortier fortner forty fourteen fowers frago fraleigh
        frasher fricker frickey friday fro frog froh frome fromm frucher frum fulcher furches furrier furthered
        furthers futher gear geordie george georges georgi georgian georgiana georgians georgie georgina georgine
        georgio georgiou gibe gide gile gillings giorgia giorgio gipe gire giver gloated glosson glover goldenson
        goldfine goldfish gove grose grosse groupe groused gustin hackford hade hafford hage haha hake hale halford
        hallford halston halve hampshire handford hane hanford hannah hansford hanthorn hare harford harry harston
        hartshorn hartsville hartwood harve hase hate hathorn hathorne havel haver haves havey hawe hawk hawthorne
        haye hayford haze heaston heat heave helen helene helens helle hemlo hennessee henthorn hereford herford
        hesston hive hodsdon hogston hogwood hollo hollywood holsten holston horning hospital houghton houlton housden
        housman hove hueston hundred hunting hurford hurston huston iambic indianola indians indicia informatic
        informatics informational informative inhabitant interned interred iola iona iota iowans jacklin jacklyn
        jackman jackpot jacobson jailing jameson jamison janning jansson january jasmine jenning jersey jogging joiner
        joines jointed jolting jopling july june justin kangas kansai kear keast killings knew knob knop knot knox
        knoy kooning krouse kuow lacking lactation ladling lagging lambing lamping lancing landing landings landini
        landino laning lanning lanting lapping lapsing largely largent largess largesse lashing laska lastest lasting
        lauding laziest leaning lear leasing lecates legislate legislative legislator leising lending lenning lensing
        lessing licker ligation lilah linking loaning loathed locales locator logwood lol longest longing loosing
        lopatin lossing louis lover lunging maddison made madelon madigan madson magic magnesia maile mailson main
        maina mainland maino mains mainz maione maire maison maitland maize make maker makinson males maline mallison
        mane manne manolis mansion march marchand marine markland markson marland marplan marquand marshland marsland
        marulanda maryann marylin mathison mattison mattson maune maxine may mayland mayne meadowland mear meat meine
        melican mercland michael mies miguel mikes mikles milas milem miler miley milks milligan million mills milnes
        milos mils mines mires mises mississippians mites mixes moaning moening moles moncada monday monica montage
        montagna montagne montagu montanari montanaro montand montanez montano montante montanye montenay montini
        montone montoya moreland morgana morison morland mortara mortland mules murkland mustin myles nace nale nam
        namer nase nate nave near network nevala newborn newkirk newmark newport nineteen ninety noeth nome norah
        norte northerner northey november obregon october odes officiate officio ohm ohms olympiad olympiads olympian
        olympians olympias olympic olympics olympus omara orbin orchid oregano orelon orlando ortegon overdrew owl
        parkland paul pear peasant peasants pease peat pellicane pellicano pellman penny pentland peons peppy periman
        phony piccone pierce pierie pierro platitude platitudes pleas pleasant pleasants pleased pleaser pleases
        plover pointing polland poppa poppe populace populate populating portend portman postal poston postulated
        potter prominence prouse provident puppy quaid quain quentin questioner questran questrom rabin raven
        razaleigh rear recover reincarnation renton richemont richford richland richman richton robbin robia robie
        robina roblin robyn rodin rofin rogin roiling rolin ronin ronning rosin roston rouse rowin rubin runion rustin
        sacrament sacramental sacraments safflower salam saleem saleh salek salema salemi sales salguero salim sandage
        sansing santa santala santana santone santore sarmento sat sates sattler saturday scat scates scuttle sea seam
        sean seaq sear seato seawell seay sect selena sent sept september set settler settles seventeen seventy shave
        shouli shuttle sixteen sixty skate skates skeat skittle slat slate slates slicker slover smiles smittle
        sneered solem sough southard southerner southers southin souths souto sparrow spat spate spates spittle
        springs stade stage stages stagnaro stake stakes stale stare stares startle stated staten stater staters
        stats statue statues status statz stave staves steagall stell stites strate stringfield strings stringy stutes
        sunday suthers swat sweat syring syringe syringes tall tank tanks taunton taxes teal teall tear teas teast
        teaster teat teel tele tello tells telly texts thacher thane thang thanh thano thanos think thinks thirteen
        thirty thousand thrash thrashed thrashes thresh thresher thrust thruster thunk thursday till toiling toll
        trafton trashed trashes treason treetop trentman treptow trettin tuell tuesday tulip tull turlington tustin
        twelve twenty unison utahn valmont varmint verdant verdone vermouth veronica vigilia viole violent violeta
        violett virgilio virginal virginians virginity virgins voicing voiding waddington wadlington wandering
        wanderings warbington warming warrington washing wasters watlington wear weast weathington webster websters
        weddington wednesday weich weist welcomes welt went wept werst wert wes wesat wesp wess westberg westech
        westen wester westerman westerner westerns westman westmin wet wethington wetstein wham whate wheat whet whew
        whey whit whole whore wien wiggington wigington wilhite wist wold wooding woodington woodring wormington
        worthington wound wrest wuest yea yearn yeary yeas yeast yelena yer york
        """
}
