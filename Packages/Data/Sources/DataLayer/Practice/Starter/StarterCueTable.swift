// SPDX-License-Identifier: MIT

/// The cues that ship with the program, as text: a line each, with its number, topic, level, sentence and hint.
///
/// A number is never used again for another sentence: it is a part of the cue's id, which results refer to.
/// Translations of each other have the same number.
enum StarterCueTable {
    /// The cues by language. The order of the languages is that of their numbers in ids; add new ones at the end.
    static let languages: [(tag: String, lines: String)] = [
        ("en", english), ("de", german), ("es", spanish), ("fr", french), ("it", italian), ("ja", japanese),
    ]

    static let english = """
        1|greetings|1|Good morning! How are you?|Let your voice rise at the end.
        2|greetings|1|My name is Alex. Nice to meet you.|Run the words together: nice-to-meet-you.
        3|greetings|2|Good evening, and welcome to our home.|Stress "evening", "welcome" and "home".
        4|greetings|3|I haven't seen you for ages! What have you been up to?|"What have you" sounds like "what've you".
        5|greetings|4|Please give my best wishes to your family.|"Wishes" has two syllables.
        6|travel|1|Where is the train station, please?|Stress "where" and "station".
        7|travel|2|I would like a ticket to the airport.|"I would like" is often "I'd like".
        8|travel|3|Could you tell me when the next bus leaves?|The voice falls at the end of a polite question like this.
        9|travel|4|My flight was cancelled, so I need a room for tonight.|Pause shortly after "cancelled".
        10|travel|5|If we had left an hour earlier, we would have caught the ferry.|"Would have" sounds like "would've".
        11|food|1|A cup of tea with milk, please.|"Cup of" sounds like "cuppa".
        12|food|2|Could we have the menu, please?|The voice rises on "please".
        13|food|3|I am allergic to nuts. Is there any nut in this dish?|Say "allergic" with the stress on "ler".
        14|food|4|The soup was delicious, but the meat was a little too salty.|Stress the contrast: soup, meat.
        15|food|5|I would rather cook something simple than eat out again tonight.|"Rather" and "than" are the pair to hear.
        16|work|1|I work in a small office.|Four short words; stress "work" and "office".
        17|work|2|The meeting starts at half past nine.|The "t" in "starts" is heard.
        18|work|3|Could you send me the report by Friday?|The stress is on "report" and "Friday".
        19|work|4|I have been working on this project since last spring.|"I have been" is often "I've been".
        20|work|6|We should weigh the risks thoroughly before committing ourselves to a contract.|"Thoroughly" begins with the sound of "thin".
        21|small talk|1|It is very cold today.|"It is" is often "it's".
        22|small talk|2|Do you live near here?|"Do you" is short; stress "live" and "near".
        23|small talk|3|What do you like to do at the weekend?|Stress "do" the second time.
        24|small talk|4|I used to play the piano, but I gave it up years ago.|"Used to" sounds like "yoosta".
        25|small talk|6|Funnily enough, I was just about to ask you the very same thing.|Keep "very same" slow and clear.
        26|numbers|1|One, two, three, four, five.|Count evenly.
        27|numbers|2|That makes fourteen pounds fifty.|Stress the end of "fourteen" and the beginning of "fifty".
        28|numbers|3|My telephone number is two zero seven, four six double one.|A group at a time, with pauses.
        29|numbers|4|The bridge was built in eighteen eighty-three.|Years are read in pairs.
        30|numbers|5|About two thirds of the thirty-three thousand visitors came by train.|Mind each "th".
        """

    static let german = """
        1|greetings|1|Guten Morgen! Wie geht es Ihnen?|Good morning! How are you? (polite)
        2|greetings|1|Ich heiße Alex. Freut mich.|My name is Alex. Nice to meet you.
        3|greetings|2|Guten Abend und herzlich willkommen bei uns.|Good evening, and welcome to our home.
        4|greetings|3|Wir haben uns ja ewig nicht gesehen! Was machst du so?|We haven't seen each other for ages! What are you up to?
        5|greetings|4|Bitte grüßen Sie Ihre Familie herzlich von mir.|Please give my best wishes to your family.
        6|travel|1|Wo ist bitte der Bahnhof?|Where is the train station, please?
        7|travel|2|Ich hätte gern eine Fahrkarte zum Flughafen.|I would like a ticket to the airport.
        8|travel|3|Können Sie mir sagen, wann der nächste Bus fährt?|Could you tell me when the next bus leaves?
        9|travel|4|Mein Flug wurde gestrichen, deshalb brauche ich ein Zimmer für heute Nacht.|My flight was cancelled, so I need a room for tonight.
        10|travel|5|Wenn wir eine Stunde früher losgefahren wären, hätten wir die Fähre noch erreicht.|If we had left an hour earlier, we would have caught the ferry.
        11|food|1|Eine Tasse Tee mit Milch, bitte.|A cup of tea with milk, please.
        12|food|2|Könnten wir bitte die Speisekarte haben?|Could we have the menu, please?
        13|food|3|Ich bin gegen Nüsse allergisch. Sind in diesem Gericht Nüsse?|I am allergic to nuts. Are there nuts in this dish?
        14|food|4|Die Suppe war köstlich, aber das Fleisch war ein bisschen zu salzig.|The soup was delicious, but the meat was a little too salty.
        15|food|5|Ich koche lieber etwas Einfaches, als heute Abend schon wieder essen zu gehen.|I would rather cook something simple than eat out again tonight.
        16|work|1|Ich arbeite in einem kleinen Büro.|I work in a small office.
        17|work|2|Die Besprechung beginnt um halb zehn.|The meeting starts at half past nine.
        18|work|3|Können Sie mir den Bericht bis Freitag schicken?|Could you send me the report by Friday?
        19|work|4|Ich arbeite seit dem letzten Frühling an diesem Projekt.|I have been working on this project since last spring.
        20|work|6|Wir sollten die Risiken gründlich abwägen, bevor wir uns vertraglich binden.|We should weigh the risks thoroughly before committing ourselves to a contract.
        21|small talk|1|Heute ist es sehr kalt.|It is very cold today.
        22|small talk|2|Wohnen Sie hier in der Nähe?|Do you live near here?
        23|small talk|3|Was machst du am Wochenende gern?|What do you like to do at the weekend?
        24|small talk|4|Früher habe ich Klavier gespielt, aber das habe ich vor Jahren aufgegeben.|I used to play the piano, but I gave it up years ago.
        25|small talk|6|Komischerweise wollte ich Sie gerade genau dasselbe fragen.|Funnily enough, I was just about to ask you the very same thing.
        26|numbers|1|Eins, zwei, drei, vier, fünf.|One, two, three, four, five.
        27|numbers|2|Das macht vierzehn Euro fünfzig.|That makes fourteen euros fifty.
        28|numbers|3|Meine Telefonnummer ist null drei null, vier sechs eins eins.|My telephone number is zero three zero, four six one one.
        29|numbers|4|Die Brücke wurde achtzehnhundertdreiundachtzig gebaut.|The bridge was built in 1883.
        30|numbers|5|Etwa zwei Drittel der dreiunddreißigtausend Besucher kamen mit dem Zug.|About two thirds of the 33,000 visitors came by train.
        """

    static let spanish = """
        1|greetings|1|¡Buenos días! ¿Cómo está usted?|Good morning! How are you? (polite)
        2|greetings|1|Me llamo Alex. Mucho gusto.|My name is Alex. Nice to meet you.
        3|greetings|2|Buenas noches y bienvenidos a nuestra casa.|Good evening, and welcome to our home.
        4|greetings|3|¡Cuánto tiempo sin verte! ¿Qué has hecho últimamente?|I haven't seen you for ages! What have you been up to?
        5|greetings|4|Dele muchos recuerdos de mi parte a su familia.|Please give my best wishes to your family.
        6|travel|1|¿Dónde está la estación de tren, por favor?|Where is the train station, please?
        7|travel|2|Quisiera un billete al aeropuerto.|I would like a ticket to the airport.
        8|travel|3|¿Podría decirme cuándo sale el próximo autobús?|Could you tell me when the next bus leaves?
        9|travel|4|Han cancelado mi vuelo, así que necesito una habitación para esta noche.|My flight was cancelled, so I need a room for tonight.
        10|travel|5|Si hubiéramos salido una hora antes, habríamos llegado a tiempo al ferry.|If we had left an hour earlier, we would have been in time for the ferry.
        11|food|1|Una taza de té con leche, por favor.|A cup of tea with milk, please.
        12|food|2|¿Nos trae la carta, por favor?|Could you bring us the menu, please?
        13|food|3|Soy alérgico a los frutos secos. ¿Lleva alguno este plato?|I am allergic to nuts. Are there any in this dish? (a woman says "alérgica")
        14|food|4|La sopa estaba deliciosa, pero la carne estaba un poco salada.|The soup was delicious, but the meat was a little salty.
        15|food|5|Prefiero cocinar algo sencillo a volver a cenar fuera esta noche.|I would rather cook something simple than eat out again tonight.
        16|work|1|Trabajo en una oficina pequeña.|I work in a small office.
        17|work|2|La reunión empieza a las nueve y media.|The meeting starts at half past nine.
        18|work|3|¿Me puede enviar el informe antes del viernes?|Can you send me the report before Friday?
        19|work|4|Llevo trabajando en este proyecto desde la primavera pasada.|I have been working on this project since last spring.
        20|work|6|Deberíamos sopesar bien los riesgos antes de comprometernos por contrato.|We should weigh the risks well before committing ourselves by contract.
        21|small talk|1|Hoy hace mucho frío.|It is very cold today.
        22|small talk|2|¿Vive usted cerca de aquí?|Do you live near here?
        23|small talk|3|¿Qué te gusta hacer los fines de semana?|What do you like to do at weekends?
        24|small talk|4|Antes tocaba el piano, pero lo dejé hace años.|I used to play the piano, but I gave it up years ago.
        25|small talk|6|Curiosamente, estaba a punto de preguntarle exactamente lo mismo.|Funnily enough, I was just about to ask you exactly the same thing.
        26|numbers|1|Uno, dos, tres, cuatro, cinco.|One, two, three, four, five.
        27|numbers|2|Son catorce euros con cincuenta.|That makes fourteen euros fifty.
        28|numbers|3|Mi número de teléfono es el nueve uno cuatro, seis dos cero siete.|My telephone number is nine one four, six two zero seven.
        29|numbers|4|El puente se construyó en mil ochocientos ochenta y tres.|The bridge was built in 1883.
        30|numbers|5|Unos dos tercios de los treinta y tres mil visitantes vinieron en tren.|About two thirds of the 33,000 visitors came by train.
        """

    static let french = """
        1|greetings|1|Bonjour ! Comment allez-vous ?|Hello! How are you? (polite)
        2|greetings|1|Je m'appelle Alex. Enchanté.|My name is Alex. Nice to meet you. (a woman writes "Enchantée"; it sounds the same)
        3|greetings|2|Bonsoir et bienvenue chez nous.|Good evening, and welcome to our home.
        4|greetings|3|Ça fait une éternité qu'on ne s'est pas vus ! Qu'est-ce que tu deviens ?|We haven't seen each other for ages! What have you been up to?
        5|greetings|4|Transmettez toutes mes amitiés à votre famille.|Please give my best wishes to your family.
        6|travel|1|Où est la gare, s'il vous plaît ?|Where is the train station, please?
        7|travel|2|Je voudrais un billet pour l'aéroport.|I would like a ticket to the airport.
        8|travel|3|Pourriez-vous me dire quand part le prochain bus ?|Could you tell me when the next bus leaves?
        9|travel|4|Mon vol a été annulé, il me faut donc une chambre pour cette nuit.|My flight was cancelled, so I need a room for tonight.
        10|travel|5|Si nous étions partis une heure plus tôt, nous aurions eu le ferry.|If we had left an hour earlier, we would have caught the ferry.
        11|food|1|Une tasse de thé au lait, s'il vous plaît.|A cup of tea with milk, please.
        12|food|2|Pourrions-nous avoir la carte, s'il vous plaît ?|Could we have the menu, please?
        13|food|3|Je suis allergique aux noix. Est-ce qu'il y en a dans ce plat ?|I am allergic to nuts. Are there any in this dish?
        14|food|4|La soupe était délicieuse, mais la viande était un peu trop salée.|The soup was delicious, but the meat was a little too salty.
        15|food|5|J'aime mieux cuisiner quelque chose de simple que de manger encore au restaurant ce soir.|I would rather cook something simple than eat out again tonight.
        16|work|1|Je travaille dans un petit bureau.|I work in a small office.
        17|work|2|La réunion commence à neuf heures et demie.|The meeting starts at half past nine.
        18|work|3|Pouvez-vous m'envoyer le rapport d'ici vendredi ?|Can you send me the report by Friday?
        19|work|4|Je travaille sur ce projet depuis le printemps dernier.|I have been working on this project since last spring.
        20|work|6|Il faudrait bien peser les risques avant de nous engager par contrat.|We should weigh the risks well before committing ourselves by contract.
        21|small talk|1|Il fait très froid aujourd'hui.|It is very cold today.
        22|small talk|2|Vous habitez près d'ici ?|Do you live near here?
        23|small talk|3|Qu'est-ce que tu aimes faire le week-end ?|What do you like to do at the weekend?
        24|small talk|4|Avant, je jouais du piano, mais j'ai arrêté il y a des années.|I used to play the piano, but I stopped years ago.
        25|small talk|6|C'est drôle, j'allais justement vous poser la même question.|Funnily enough, I was just about to ask you the same question.
        26|numbers|1|Un, deux, trois, quatre, cinq.|One, two, three, four, five.
        27|numbers|2|Cela fait quatorze euros cinquante.|That makes fourteen euros fifty.
        28|numbers|3|Mon numéro de téléphone est le zéro un, quarante-deux, soixante-dix-sept, quatre-vingt-dix.|My telephone number is 01 42 77 90.
        29|numbers|4|Le pont a été construit en mille huit cent quatre-vingt-trois.|The bridge was built in 1883.
        30|numbers|5|Environ deux tiers des trente-trois mille visiteurs sont venus en train.|About two thirds of the 33,000 visitors came by train.
        """

    static let italian = """
        1|greetings|1|Buongiorno! Come sta?|Good morning! How are you? (polite)
        2|greetings|1|Mi chiamo Alex. Piacere.|My name is Alex. Nice to meet you.
        3|greetings|2|Buonasera e benvenuti a casa nostra.|Good evening, and welcome to our home.
        4|greetings|3|Non ci vediamo da una vita! Che cosa mi racconti?|We haven't seen each other for ages! What have you been up to?
        5|greetings|4|Mi saluti tanto la sua famiglia.|Please give my best wishes to your family.
        6|travel|1|Dov'è la stazione, per favore?|Where is the train station, please?
        7|travel|2|Vorrei un biglietto per l'aeroporto.|I would like a ticket to the airport.
        8|travel|3|Mi può dire quando parte il prossimo autobus?|Can you tell me when the next bus leaves?
        9|travel|4|Il mio volo è stato cancellato, quindi mi serve una camera per stanotte.|My flight was cancelled, so I need a room for tonight.
        10|travel|5|Se fossimo partiti un'ora prima, avremmo preso il traghetto.|If we had left an hour earlier, we would have caught the ferry.
        11|food|1|Una tazza di tè con latte, per favore.|A cup of tea with milk, please.
        12|food|2|Potremmo avere il menù, per favore?|Could we have the menu, please?
        13|food|3|Sono allergico alle noci. Ci sono noci in questo piatto?|I am allergic to nuts. Are there nuts in this dish? (a woman says "allergica")
        14|food|4|La zuppa era squisita, ma la carne era un po' troppo salata.|The soup was delicious, but the meat was a little too salty.
        15|food|5|Preferisco cucinare qualcosa di semplice piuttosto che mangiare di nuovo fuori stasera.|I would rather cook something simple than eat out again tonight.
        16|work|1|Lavoro in un piccolo ufficio.|I work in a small office.
        17|work|2|La riunione comincia alle nove e mezza.|The meeting starts at half past nine.
        18|work|3|Potrebbe mandarmi la relazione entro venerdì?|Could you send me the report by Friday?
        19|work|4|Lavoro a questo progetto dalla primavera scorsa.|I have been working on this project since last spring.
        20|work|6|Dovremmo valutare a fondo i rischi prima di impegnarci con un contratto.|We should weigh the risks thoroughly before committing ourselves to a contract.
        21|small talk|1|Oggi fa molto freddo.|It is very cold today.
        22|small talk|2|Abita qui vicino?|Do you live near here?
        23|small talk|3|Che cosa ti piace fare nel fine settimana?|What do you like to do at the weekend?
        24|small talk|4|Una volta suonavo il pianoforte, ma ho smesso anni fa.|I used to play the piano, but I stopped years ago.
        25|small talk|6|Guarda caso, stavo proprio per farle la stessa domanda.|Funnily enough, I was just about to ask you the same question.
        26|numbers|1|Uno, due, tre, quattro, cinque.|One, two, three, four, five.
        27|numbers|2|Sono quattordici euro e cinquanta.|That makes fourteen euros fifty.
        28|numbers|3|Il mio numero di telefono è zero sei, quattro sette, due uno, cinque otto.|My telephone number is 06 47 21 58.
        29|numbers|4|Il ponte fu costruito nel milleottocentottantatré.|The bridge was built in 1883.
        30|numbers|5|Circa due terzi dei trentatremila visitatori sono arrivati in treno.|About two thirds of the 33,000 visitors came by train.
        """

    static let japanese = """
        1|greetings|1|おはようございます。お元気ですか。|Good morning! How are you? — Ohayō gozaimasu. O-genki desu ka.
        2|greetings|1|アレックスと申します。よろしくお願いします。|My name is Alex. Nice to meet you. — Arekkusu to mōshimasu. Yoroshiku onegai shimasu.
        3|greetings|2|こんばんは。ようこそいらっしゃいました。|Good evening, and welcome. — Konbanwa. Yōkoso irasshaimashita.
        4|greetings|3|お久しぶりです。最近どうしていましたか。|I haven't seen you for a long time. What have you been up to? — O-hisashiburi desu. Saikin dō shite imashita ka.
        5|greetings|4|ご家族の皆様によろしくお伝えください。|Please give my best wishes to your family. — Go-kazoku no minasama ni yoroshiku o-tsutae kudasai.
        6|travel|1|すみません、駅はどこですか。|Excuse me, where is the station? — Sumimasen, eki wa doko desu ka.
        7|travel|2|空港までの切符を一枚ください。|One ticket to the airport, please. — Kūkō made no kippu o ichi-mai kudasai.
        8|travel|3|次のバスは何時に出るか教えていただけますか。|Could you tell me when the next bus leaves? — Tsugi no basu wa nan-ji ni deru ka oshiete itadakemasu ka.
        9|travel|4|飛行機が欠航になったので、今夜泊まる部屋が必要です。|My flight was cancelled, so I need a room for tonight. — Hikōki ga kekkō ni natta node, kon'ya tomaru heya ga hitsuyō desu.
        10|travel|5|もう一時間早く出ていたら、フェリーに間に合ったのに。|If we had left an hour earlier, we would have caught the ferry. — Mō ichi-jikan hayaku dete itara, ferī ni maniatta noni.
        11|food|1|ミルクティーを一つお願いします。|A tea with milk, please. — Miruku tī o hitotsu onegai shimasu.
        12|food|2|メニューを見せていただけますか。|Could we see the menu, please? — Menyū o misete itadakemasu ka.
        13|food|3|ナッツのアレルギーがあります。この料理にナッツは入っていますか。|I am allergic to nuts. Are there nuts in this dish? — Nattsu no arerugī ga arimasu. Kono ryōri ni nattsu wa haitte imasu ka.
        14|food|4|スープはおいしかったですが、お肉は少ししょっぱかったです。|The soup was delicious, but the meat was a little salty. — Sūpu wa oishikatta desu ga, o-niku wa sukoshi shoppakatta desu.
        15|food|5|今夜はまた外食するより、何か簡単なものを作るほうがいいです。|I would rather cook something simple than eat out again tonight. — Kon'ya wa mata gaishoku suru yori, nanika kantan na mono o tsukuru hō ga ii desu.
        16|work|1|小さい会社で働いています。|I work at a small company. — Chiisai kaisha de hataraite imasu.
        17|work|2|会議は九時半に始まります。|The meeting starts at half past nine. — Kaigi wa ku-ji han ni hajimarimasu.
        18|work|3|金曜日までに報告書を送っていただけますか。|Could you send me the report by Friday? — Kin'yōbi made ni hōkokusho o okutte itadakemasu ka.
        19|work|4|去年の春からこのプロジェクトを担当しています。|I have been in charge of this project since last spring. — Kyonen no haru kara kono purojekuto o tantō shite imasu.
        20|work|6|契約を結ぶ前に、リスクを十分に検討すべきだと思います。|I think we should weigh the risks thoroughly before signing a contract. — Keiyaku o musubu mae ni, risuku o jūbun ni kentō subeki da to omoimasu.
        21|small talk|1|今日はとても寒いですね。|It is very cold today, isn't it? — Kyō wa totemo samui desu ne.
        22|small talk|2|この近くにお住まいですか。|Do you live near here? — Kono chikaku ni o-sumai desu ka.
        23|small talk|3|週末は何をするのが好きですか。|What do you like to do at the weekend? — Shūmatsu wa nani o suru no ga suki desu ka.
        24|small talk|4|昔はピアノを弾いていましたが、何年も前にやめました。|I used to play the piano, but I gave it up years ago. — Mukashi wa piano o hiite imashita ga, nan-nen mo mae ni yamemashita.
        25|small talk|6|偶然ですね、ちょうど同じことをお聞きしようと思っていたところです。|What a coincidence, I was just about to ask you the same thing. — Gūzen desu ne, chōdo onaji koto o o-kiki shiyō to omotte ita tokoro desu.
        26|numbers|1|一、二、三、四、五。|One, two, three, four, five. — Ichi, ni, san, yon, go.
        27|numbers|2|全部で千四百五十円です。|That makes 1,450 yen. — Zenbu de sen yonhyaku gojū-en desu.
        28|numbers|3|電話番号は〇三の四六一一です。|My telephone number is 03-4611. — Denwa bangō wa zero san no yon roku ichi ichi desu.
        29|numbers|4|この橋は千八百八十三年に造られました。|This bridge was built in 1883. — Kono hashi wa sen happyaku hachijū san-nen ni tsukuraremashita.
        30|numbers|5|三万三千人の来場者のうち、約三分の二が電車で来ました。|About two thirds of the 33,000 visitors came by train. — San-man sanzen-nin no raijōsha no uchi, yaku sanbun no ni ga densha de kimashita.
        """
}
