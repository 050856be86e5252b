// SPDX-License-Identifier: MIT

/// Words that show that a question is not about known facts of US states; see ``RefusedSubject``.
///
/// The guardrail does not depend on these lists being complete, because any word that is not explained counts against a
/// question. They make the refusal certain and its reason clear, and keep a country from being read as a misspelt
/// state.
enum RefusedWordTable {
    /// Countries, their people, large cities and provinces of theirs, territories of the US, continents and seas.
    static let elsewhere: StaticString = """
        abroad adelaide afghanistan africa african aires albania alberta algeria algiers alsace amazonas amman
        amsterdam andalusia andorra angola ankara antarctica antigua arabia arctic argentina armenia aruba asgard
        asia asian assam athens atlantic atlantis auckland australia australian austria azerbaijan baghdad bahamas
        bahia bahrain baja baku balkans bangalore bangkok bangladesh barbados barcelona basel bavaria beijing beirut
        belarus belfast belgium belgrade belize bengal benin berlin bermuda bern bhutan bihar bogota bolivia bombay
        bordeaux bosnia botswana brandenburg brasilia bratislava brazil brazilian brisbane britain british brittany
        brunei brunswick brussels bucharest budapest buenos bulgaria bundesland burgundy burkina burma burundi cairo
        calcutta calgary cambodia cameroon canada canadian canberra cancun canton cantons cape caracas cardiff
        caribbean casablanca catalonia caucasus chad chennai chiapas chihuahua chile china chinese coahuila cologne
        colombia colombian colony comoros congo continent continental continents copenhagen counties countries
        country county crimea croatia cuba cuban cyprus czech czechia czechoslovakia damascus delhi denmark dhaka
        djibouti dominica dominican dresden dublin durango dutch earth ecuador edinburgh edmonton egypt emirates
        empire england english equator eritrea estonia eswatini ethiopia europe european fiji finland florence
        foreign france frankfurt french gabon galaxy gambia geneva genovia georgian gerais german germany ghana
        glasgow global goa gondor gotham greece greek greenland grenada grosso guadalajara guam guangzhou guatemala
        guinea gujarat guyana haiti halifax hamburg hanoi haryana havana helsinki hemisphere hesse hogwarts holland
        honduras hong hungary iceland india indian indonesia international iran iraq ireland irish islamabad israel
        istanbul italian italy jakarta jalisco jamaica janeiro japan japanese jerusalem johannesburg jordan jupiter
        kabul karachi karnataka kazakhstan kenya kerala kiev kingdom kingston kiribati kolkata kong korea korean
        kosovo kuala kuwait kyiv kyoto kyrgyzstan labrador lagos lahore lanka laos latvia lebanon leipzig leone
        lesotho liberia libya liechtenstein lima lisbon lithuania liverpool ljubljana lombardy london lumpur
        luxembourg lyon macedonia madagascar madrid maharashtra malawi malaysia maldives mali malta manila manitoba
        mariana marianas mars marseille mato mauritania mauritius medellin mediterranean melbourne mexican mexico
        micronesia milan minas minsk moldova monaco mongolia montenegro monterrey montevideo montreal moon mordor
        morocco moscow mozambique mumbai munich myanmar nadu nairobi namibia naples narnia nation national nations
        nationwide nauru nepal netherlands newfoundland nicaragua niger nigeria normandy norway nova nunavut oaxaca
        oblast ocean oceania odisha oman ontario osaka oslo ottawa overseas oz pacific pakistan palau palestine
        panama papua paraguay parana paris parish parishes patagonia paulo persia perth peru philippines planet
        poland polish porto portugal pradesh prague prefecture pretoria provence province provinces prussia puebla
        puerto punjab pyongyang qatar quebec queensland quito rabat rajasthan republic reykjavik rhodesia rican rico
        riga rio roman romania rome russia russian rwanda saigon salvador samoa santiago sarajevo saskatchewan
        saturn saxony scandinavia scotia scotland scottish senegal seoul serbia seville seychelles shanghai shenzhen
        siberia sicily sierra sinaloa singapore slovakia slovenia sofia solomon somalia sonora soviet spain spanish
        stockholm stuttgart sudan suriname sweden swiss switzerland sydney syria tabasco taipei taiwan tajikistan
        tallinn tamaulipas tamil tanzania tasmania tbilisi tehran telangana territories territory thailand thuringia
        tijuana timor tobago togo tokyo tonga toronto transylvania trinidad tripoli tunis tunisia turin turkey
        turkish turkiye turkmenistan tuscany tuvalu uae uganda uk ukraine universe uruguay ussr uzbekistan valencia
        vancouver vanuatu vatican venezuela venice venus victoria vienna vietnam vilnius virgin wakanda wales warsaw
        wellington welsh westeros westphalia winnipeg world worldwide yemen yerevan yucatan yugoslavia yukon zagreb
        zambia zamunda zealand zimbabwe zurich
        """

    /// Facts that people often ask of states, but that are not known here.
    static let unknownFacts: StaticString = """
        abortion acreage adjacent agriculture airlines airport airports altitude animal animals anthem area areas
        baseball basketball beach beaches best beverage border bordered bordering borders budget butterfly canyon
        celebrities celebrity climate clock coast coastline code codes coin cold college colleges colonists
        companies company cost costs crime crimes crop crops dance debt demographics density desert dinosaur
        discovered dish drink drinking earthquake economic economy elevation ethnicity etymology explored export
        exports famous farm farms fish flag flags flight flights food foods football forecast forest forests fossil
        founded founder founders fruit gambling gas gdp gem gemstone gun guns highway highways hockey hospital
        hospitals hot hotel hotels humid hurricane hurricanes illegal income industry insect interstate island
        islands lake lakes landlocked language languages law laws least legal license limit lowest mammal marijuana
        median mineral mlb motto mottos mountain mountains murder museum museums nba neighbor neighboring neighbors
        neighbouring nfl nickname nicknames oil origin originated park parks peak phone plate plates point police
        poorest postal poverty price prices prison quarter race races rain raining rate rates religion religions
        rent restaurant restaurants richest river rivers rock rocks route routes safest salaries salary seal         settled settlers shore size slogan smallest snow snowing song songs speed sport sunny surround surrounds tax
        taxes team teams temperature time timezone tiniest tornado tornadoes touch touches traffic tree trees
        unemployment universities university vegetable volcano wage wages waterfall wealthiest weather weed worst
        zip zipcode zone
        """

    /// Offices, their holders and elections.
    static let offices: StaticString = """
        attorney biden bush campaign candidate candidates chancellor clinton congress congressman congresswoman
        democrat democratic democrats dictator elected election elections electoral emperor governor governors judge
        kennedy king mayor mayors minister nixon obama parliament parties party political politician politicians
        politics pope president presidential presidents prime prince princess queen reagan representatives
        republican republicans secretary senate senator senators supreme trump vote voted voter voters votes voting
        """

    /// Other subjects that people ask assistants about.
    static let unrelated: StaticString = """
        actor actress alarm album algebra app appointment artist ass atom author bake band bank battle bbq beer
        beyonce bible biology bitch bitcoin bomb bombs bouquet bowl boyfriend bulls burger buy cake calculate
        calendar calories cancer celtics championship cheap chemistry chicken coffee color colors colour colours
        cook cooking covid cowboys crypto cup currency damn derby diet disease divided doctor dollar dollars dream
        dreams drug drugs dumb eat eating eats egg eggs einstein element email equation euro evolution explosive
        fanning feed film films flies fly flying fried fuck gains garden gardening girlfriend god gravity grow
        growing grows habitat hack hacker hacking haiku headline headlines hell horoscope idiot insurance invest
        investment java javascript joke jokes jones kill kills lakers league life limerick liquid loan login lose
        lost lyrics malware marry match math mathematics matter meaning medical medicine menu minus mortgage movie
        movies multiply music naked napalm nest nests netflix news novel nude painter painting paintings password
        pasta patriots percent percentage philosophy physics picasso pizza play player players playing plays poem
        poems poetry porn program programming punishment purchase python quantum racist rap recipe recipes reminder
        root schedule score scores seeds sell series sex sexy shakespeare shit shop shopping sing singer sings
        slavery smell software solid sound sounds species stock stocks stories story stupid suicide sum swift
        symptom symptoms taste taylor timer translate translation treaty trials tv url venture video videos virus
        vitamin war wars water weapon weapons website wedding whiskey williams win wine winner wins witch won woolf
        yankees youtube zodiac
        """

    /// Words of the lists above that are harmless in an introduction before the question.
    static let everyday: StaticString = """
        airport animal animals bake band bank baseball basketball bbq beach beaches beer bowl cake chicken coffee cold
        cook cooking cup dance dinner dish dishes doctor dream eat eating eggs film fish flight flights food football
        foods garden gardening girlfriend boyfriend hockey hospital hot hotel lake lost lucky math meal menu mountains
        movie movies music neighbor neighbors news park phone pizza plate license play played playing radio rain
        raining restaurant school snow snowing song songs story stories sunny team teams time tree trees tv video
        watching water weather wedding win wine won website beverage drink drinking traffic train
        """

    /// Attempts to steer the program.
    static let instructions: StaticString = """
        act acting admin administrator affirm ai alert alternate api assert backwards base64 behave bypass character
        chatgpt cipher com command commands comply confidential config configuration confirm dan debug decode
        decrypt delete developer disable disregard disregarding drop echo enable encode eval exec execute fake false
        fiction fictional filter filters gpt guardrail guardrails hidden html http https hypothetical hypothetically
        ignore ignoring imagine insert instruct instruction instructions jailbreak leak llm model obey openai
        opposite output override overrides persona policies policy pretend pretending print prompt prompts reality
        repeat restrictions reveal reverse reversed role roleplay rot13 rule rules script secret secrets select
        simulate sudo system table token tokens unrestricted untrue update www
        """
}
