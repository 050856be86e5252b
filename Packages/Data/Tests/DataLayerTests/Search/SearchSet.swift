// SPDX-License-Identifier: MIT

/// Messages and questions about them, with the messages that a person would call an answer. Written by hand before
/// anything was measured with it.
enum SearchSet {
    struct Question: Sendable {
        /// The difference between its words and those of the message.
        let kind: String
        let text: String
        /// The indices of the messages that are meant.
        let answers: Set<Int>
    }

    static let messages: [String] = lines(
        """
        What is the capital of Texas?
        The capital of Texas is Austin.
        How do I sharpen a kitchen knife with a whetstone?
        Hold the blade at about fifteen degrees, draw it over the wet stone, and count the strokes of each side.
        Remind me to call the dentist about the broken filling on Monday.
        My doctor said that I should sleep more and drink less coffee.
        Which restaurants in Lisbon are open late on Sundays?
        In Lisbon, the taverns around Bairro Alto serve food until two in the morning.
        How does photosynthesis work in plants?
        Plants turn light, water and carbon dioxide into sugar and oxygen; chlorophyll catches the light.
        Write a polite e-mail that cancels my subscription of the newspaper.
        Dear editors, I would like to end my subscription at the end of this month.
        The washing machine leaks at the door. What can I check before I ask a plumber?
        Clean the rubber gasket of the door, and look for coins and hair pins in the drain filter.
        What is the difference between a Wi-Fi repeater and a mesh network?
        A repeater halves the bandwidth; a mesh has nodes that talk to each other over a channel of their own.
        How long do I boil eggs so that the yolk stays soft?
        Six minutes for an egg from the refrigerator, then cold water.
        Translate "Where is the railway station?" into Portuguese.
        Onde fica a estação de comboios?
        How do I back up my photographs to an external disk?
        Copy the folder with rsync, then compare checksums, and keep a second copy in another place.
        My daughter is learning the violin. How much should she practise each day?
        Twenty minutes every day are better than two hours on one day.
        What did people eat in medieval castles?
        Bread, pottage, ale, and on feast days roasted meat with spices from the east.
        Explain recursion to a child.
        A box in which there is a smaller box, in which there is a smaller box, until one is empty.
        What is the population of Buenos Aires?
        Some three million people live in the city, and fifteen million with its surroundings.
        How can I get rid of the moss in my lawn?
        Rake it out, sow grass again, and lime the ground if it is sour.
        Which vaccinations do I need for a journey to Kenya?
        Hepatitis A, typhoid and yellow fever are recommended; ask a travel clinic about malaria.
        Find a word that rhymes with orange.
        Few words do; a hill in Wales called the Blorenge does.
        How do I change the tyre of a bicycle?
        Take the wheel out, lever the tyre off the rim, check what made the hole, and put in a new tube.
        Why is the sky blue?
        Air scatters short waves of light more than long ones, which is called Rayleigh scattering.
        Ich habe morgen um neun einen Zahnarzttermin, was muss ich mitbringen?
        Die Versichertenkarte und, falls vorhanden, das Bonusheft.
        Wie lange müssen Kartoffeln kochen?
        Je nach Größe zwanzig bis dreißig Minuten; stich mit einer Gabel hinein.
        Wo kann ich in Berlin mein Fahrrad reparieren lassen?
        ¿Cuánto tiempo tarda el tren de Madrid a Málaga?
        El tren de alta velocidad tarda unas dos horas y media.
        Combien coûte un café à Genève?
        東京の天気はどうですか
        京都でおすすめのお寺を教えてください
        What is the boiling point of water on Mount Everest?
        At about seventy degrees, since the pressure there is a third of that at the sea.
        How do I write a will without a lawyer?
        By hand from the first to the last word, with date and signature; two witnesses in some countries.
        Suggest names for a grey cat.
        Ash, Pebble, Storm, Slate, or Monsieur Gris.
        How do I tie a bow tie?
        Cross the ends, make a loop of the lower one, fold the other over it, and pull it through behind.
        Which programming language should I learn first?
        Python is easy to read; Swift tells you more about your mistakes.
        What is compound interest?
        Interest that is paid on interest: a thousand at five percent are 1,629 after ten years.
        My train to Manchester was cancelled. Do I get my money back?
        Yes, the whole fare if you do not travel, and a part of it for a delay of an hour.
        How do bees make honey?
        They collect nectar, thicken it by fanning with their wings, and seal it in combs of wax.
        Set a timer for the pizza: twelve minutes.
        What was the first programmable computer?
        The Z3 of Konrad Zuse ran programs from punched film in 1941.
        Give me a recipe for lentil soup with cumin.
        Fry onions and cumin, add red lentils, carrots and stock, and simmer for twenty-five minutes.
        """)

    static let questions: [Question] = [
        // The very words.
        .init(kind: "same words", text: "capital of Texas", answers: [0, 1]),
        .init(kind: "same words", text: "yellow fever", answers: [33]),
        .init(kind: "same words", text: "compound interest", answers: [60]),
        .init(kind: "same words", text: "lentil soup cumin", answers: [70]),
        .init(kind: "same words", text: "bow tie", answers: [56]),
        .init(kind: "same words", text: "grey cat names", answers: [54]),
        // Other forms of the words.
        .init(kind: "other form", text: "sharpening knives", answers: [2]),
        .init(kind: "other form", text: "boiling an egg", answers: [16]),
        .init(kind: "other form", text: "cancelling newspaper subscriptions", answers: [10]),
        .init(kind: "other form", text: "vaccination for travelling in Kenya", answers: [32]),
        .init(kind: "other form", text: "recursive", answers: [26]),
        .init(kind: "other form", text: "leaking washing machines", answers: [12]),
        .init(kind: "other form", text: "violinist practising", answers: [22]),
        .init(kind: "other form", text: "scattered light", answers: [39]),
        .init(kind: "other form", text: "repairing bicycle tyres", answers: [36]),
        .init(kind: "other form", text: "train cancellation", answers: [62]),
        .init(kind: "other form", text: "photosynthetic plant", answers: [8]),
        // Slips of the keyboard and of the ear.
        .init(kind: "slip", text: "resturants lisbon", answers: [6, 7]),
        .init(kind: "slip", text: "photosyntesis", answers: [8]),
        .init(kind: "slip", text: "Machester", answers: [62]),
        .init(kind: "slip", text: "chlorophyl", answers: [9]),
        .init(kind: "slip", text: "vaccinnations", answers: [32]),
        .init(kind: "slip", text: "Portugese translation", answers: [18]),
        .init(kind: "slip", text: "buenos airs population", answers: [28]),
        .init(kind: "slip", text: "medeival castle food", answers: [24]),
        // Joined, cut and half-remembered words.
        .init(kind: "part", text: "backup photos", answers: [20]),
        .init(kind: "part", text: "wifi mesh", answers: [14, 15]),
        .init(kind: "part", text: "Zahnarzt", answers: [40]),
        .init(kind: "part", text: "Termin beim Zahnarzt", answers: [40]),
        .init(kind: "part", text: "Kartoffel kochen", answers: [42]),
        .init(kind: "part", text: "Fahrradreparatur Berlin", answers: [44]),
        .init(kind: "part", text: "email", answers: [10]),
        .init(kind: "part", text: "program computer", answers: [68]),
        .init(kind: "part", text: "refrigerat", answers: [17]),
        // Accents, and writing without spaces.
        .init(kind: "script", text: "malaga", answers: [45]),
        .init(kind: "script", text: "estacao", answers: [19]),
        .init(kind: "script", text: "cafe geneve", answers: [47]),
        .init(kind: "script", text: "天気", answers: [48]),
        .init(kind: "script", text: "京都 お寺", answers: [49]),
        // Other words for the same.
        .init(kind: "other words", text: "physician advice on rest", answers: [5]),
        .init(kind: "other words", text: "cycling puncture", answers: [36, 37]),
        .init(kind: "other words", text: "testament", answers: [52]),
        .init(kind: "other words", text: "refund of a railway ticket", answers: [62, 63]),
        .init(kind: "other words", text: "toddler music lessons", answers: [22]),
    ]

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}
