"""Words by which the rules know names in English: lists, and what stands before, after or at the end of a name."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(",") if name.strip())


FIRST_NAMES = _set("""
Aaron Abby Abdul Abigail Adam Adele Adrian Agnes Ahmed Aisha Akira Alan Albert Alejandro Alex Alexander Alexandra
Alfred Ali Alice Alicia Alina Alison Allison Amanda Amelia Amir Amit Amy Ana Anastasia Andre Andrea Andreas Andrew
Andy Angela Angelina Anil Anita Anja Anke Ann Anna Anne Annie Anthony Antoine Anton Antonio Anya Arjun Arnold Arthur
Arun Ashley Astrid Audrey Barbara Bastian Beatrice Becky Ben Benedict Benjamin Bernard Bernd Bertha Beth Betty
Bianca Björn Bob Bobby Boris Brad Bradley Brandon Brenda Brendan Brian Bridget Bruce Bruno Bryan Caitlin Calvin
Camille Carina Carl Carla Carlos Carmen Carol Caroline Carolyn Catherine Cathy Cecilia Celine Charles Charlie
Charlotte Chen Cheryl Chiara Chris Christian Christina Christine Christoph Christopher Cindy Claire Clara Claudia
Clemens Colin Connie Connor Craig Cristina Cynthia Daisuke Damian Dan Dana Daniel Daniela Danielle Danny Darren Dave
David Debbie Deborah Deepak Dennis Derek Diana Diane Diego Dieter Dimitri Dirk Dmitri Dolores Dominic Donald Donna
Doris Dorothy Doug Douglas Dylan Ed Eddie Edgar Edith Eduardo Edward Edwin Eileen Elaine Eleanor Elena Eli Elijah
Elisa Elisabeth Elizabeth Ella Ellen Elsa Emil Emilia Emily Emma Emre Enrico Eric Erica Erik Erika Ernest Esther
Ethan Eugene Eva Evelyn Fabian Farah Fatima Felicia Felix Fernando Fiona Florence Florian Frances Francesca
Francesco Francis Francisco François Frankie Franz Fred Freddie Frederick Frida Friedrich Fritz Gabriel Gabriela
Gareth Gary Gavin Geoff Geoffrey George Georgia Gerald Gerard Gerd Gina Giovanni Giulia Gloria Gordon Greg Gregory
Greta Guido Günter Gustav Guy Hana Hannah Hans Harold Harriet Harry Harvey Hassan Heather Heidi Heike Heinrich Helen
Helena Helga Henning Henrik Henry Herbert Hiroshi Holger Howard Hugh Hugo Ian Ibrahim Ida Igor Ilona Ines Ingrid
Irene Irina Isaac Isabel Isabella Isabelle Ivan Ivy Jacob Jacqueline Jacques Jake Jakob Jamal James Jamie Jan Jane
Janet Janice Jasmine Jason Jeff Jeffrey Jenna Jennifer Jenny Jens Jeremy Jerome Jerry Jesse Jessica Jill Jim Jimmy
Joan Joanna Joe Joel Johan Johann Johanna Johannes John Johnny Jon Jonas Jonathan Jordan Jorge Jose Josef Joseph
Josephine Josh Joshua Joyce Juan Judith Judy Julia Julian Juliana Julie Juliet Jun Jürgen Justin Kai Karen Karin
Karina Karl Kate Katharina Katherine Kathleen Kathy Katie Katja Katrin Kavita Kay Keith Keiko Kelly Ken Kenji
Kenneth Kevin Kim Kimberly Kirsten Klaus Konrad Kristen Kristin Kurt Kyle Lara Larry Lars Laura Lauren Laurie Lea
Leah Lena Leo Leon Leonard Leonie Leslie Li Lidia Lilian Lily Linda Lindsay Lisa Liu Liz Lloyd Lorenzo Lotte Louis
Louisa Louise Luca Lucas Lucia Lucy Luigi Luis Luisa Lukas Luke Lydia Lynn Madeleine Magnus Malik Manuel Marc Marcel
Marco Marcus Margaret Maria Marianne Marie Marina Mario Marion Marius Markus Marta Martha Martin Martina Marvin Mary
Mateo Mathias Matt Matteo Matthew Matthias Maureen Maurice Max Maximilian Maya Mehmet Mei Melanie Melissa Mercedes
Mia Michael Michaela Michel Michelle Miguel Mika Mike Mikhail Mila Milan Mina Ming Miriam Mohamed Mohammed Molly
Mona Monica Monika Morgan Moritz Muhammad Nadia Nadine Nancy Naomi Natalia Natalie Natasha Nathan Nathaniel Neha
Neil Nell Nicholas Nick Nicola Nicolas Nicole Nigel Nikita Niklas Nina Noah Noor Nora Norbert Norman Olaf Olga
Oliver Olivia Omar Oscar Oskar Otto Owen Pablo Pamela Paolo Patricia Patrick Paul Paula Pauline Pedro Peggy Penelope
Peter Petra Phil Philip Philipp Phillip Pierre Pia Piotr Priya Rachel Rafael Raj Rajesh Ralf Ralph Ramon Raphael
Raquel Rashid Raymond Rebecca Regina Reinhard Renate Renee Ricardo Richard Rick Rita Rob Robert Roberto Robin
Rodrigo Roger Roland Rolf Roman Romy Ron Ronald Ronja Rosa Rosalind Rosemary Ross Rowan Roy Ruben Rudolf Rupert
Russell Ruth Ryan Sabine Sabrina Sally Salma Sam Samantha Samir Samuel Sandra Sanjay Sara Sarah Sascha Saskia Scott
Sean Sebastian Selina Sergei Sergio Seth Shane Shannon Sharon Shaun Sheila Shirley Sienna Sigrid Silke Silvia Simon
Simone Sinead Sofia Sonia Sonja Sophia Sophie Stacy Stanley Stefan Stefanie Stella Stephan Stephanie Stephen Steve
Steven Stuart Sue Sunil Susan Susanne Suzanne Sven Svenja Sylvia Takashi Tamara Tanja Tanya Tara Tariq Tatiana Ted
Teresa Terry Theo Theodore Theresa Thomas Thorsten Tiffany Tim Timothy Tina Tobias Todd Tom Tomas Tommy Toni Tony
Torsten Tracy Trevor Tristan Ulrich Ulrike Ursula Uwe Valentin Valentina Valerie Vanessa Vera Veronica Veronika
Vicky Victor Victoria Vijay Viktor Vincent Viola Virginia Vivian Vladimir Walter Wanda Wang Wei Wendy Werner Wilhelm
William Willem Wolfgang Xavier Yasmin Yuki Yuri Yusuf Yves Yvonne Zach Zachary Zara Zoe Zoë
""")
AMBIGUOUS_FIRST = _set("""
Angel April August Austin Bill Carter Chase Chip Christian Dallas Dean Drew Faith Frank Gene Grace Grant Hope Hunter
Iris Jack Jade Jasper Joy June Lance Mark Mason May Melody Miles Nelson Olive Paris Pat Penny Pierce Ray Rich Roman
Rob Rose Ruby Rusty Sandy Skip Sydney Taylor Tyler Violet Wade Ward Will Woody Kelly Chris
""")  # first names that are also words or places: only with a surname, a title, or words around them that people have

TITLES = _set(
    "Mr Mrs Ms Miss Dr Prof Professor Doctor Sir Madam Mister Captain President Chancellor Senator Judge Father S"
    "ister Pastor Nurse Physio Frau Herr Madame Monsieur Señor Señora"
)
KIN = _set("Aunt Uncle Grandma Grandpa Auntie Cousin Coach Chef Officer")

ORG_ENDS = _set("""
Inc Ltd LLC GmbH AG SE Corp Corporation Company Co University Institute Bank Hospital School College Foundation Labs
Laboratory Group Ministry Museum Airlines Airways Press Committee Council Clinic Academy Association Agency Partners
Holdings Industries Consulting Logistics Pharmaceuticals Insurance Energy Motors Records Studios Entertainment
Ventures Capital Bakery Library Orchestra Society Union Trust Brothers Systems Technologies Solutions Software Media
Health Robotics Analytics Biotech Architects
""")
ORG_STARTS = _set("University Bank Ministry Department Institute Museum Office Embassy")

PLACE_ENDS = _set("""
Street Road Avenue Square Park Bridge Station Airport Lake River Island Islands Beach Valley Mountains Mountain
Tower Cathedral Castle Bay Boulevard Lane Harbour Harbor Garden Gardens Forest Falls Canyon Desert Coast Peninsula
Plaza Market Gate Hill Hills Terminal Canal Hotel Theatre Theater Restaurant Palace Hostel Stadium
""")
PLACE_TAILS = r"[a-zäöüß]{3}(?:stra(?:ss|ß)e|platz|gasse|allee|damm|ufer|brücke|straat|gracht|gatan)$"
"""Ends of names of streets that are written as one word: `Lindenstrasse`."""
NOT_DEEDS = _set("United Advanced Applied Associated Sacred Unlimited Allied Limited")
"""Words in `-ed` with which names begin; any other that begins a sentence says what was done: `Deployed Nordlicht`."""
PLACE_STARTS = _set("Lake Mount Mt Cape Port Fort San Santa São Saint St New North South East West Los Las El Río")
PLACE_START_SURE = _set("Lake Mount Mt Cape")

PLACES = _names("""
Amsterdam, Athens, Atlanta, Auckland, Austin, Bangkok, Barcelona, Basel, Bangalore, Bavaria, Beijing, Belfast,
Belgrade, Bergen, Berlin, Bern, Bilbao, Birmingham, Bologna, Bonn, Bordeaux, Boston, Bratislava, Bremen, Brighton,
Bristol, Brooklyn, Brussels, Bucharest, Budapest, Buenos Aires, Cairo, California, Cambridge, Canberra, Cape Town,
Casablanca, Chengdu, Chicago, Chongqing, Cologne, Colorado, Copenhagen, Cork, Cracow, Crete, Dallas, Delhi,
New Delhi, Denver, Detroit, Dresden, Dubai, Dublin, Düsseldorf, Edinburgh, Essen, Florence, Florida, Frankfurt,
Freiburg, Galway, Gdansk, Geneva, Genoa, Ghent, Glasgow, Gothenburg, Granada, Graz, Guangzhou, Hamburg, Hangzhou,
Hanoi, Hanover, Havana, Heidelberg, Helsinki, Ho Chi Minh City, Hong Kong, Honolulu, Houston, Innsbruck, Istanbul,
Jakarta, Jerusalem, Johannesburg, Kathmandu, Kiev, Kyiv, Kraków, Kuala Lumpur, Kyoto, Lagos, Las Vegas, Leeds,
Leipzig, Lille, Lima, Lisbon, Liverpool, Ljubljana, London, Los Angeles, Lucerne, Lyon, Madrid, Malmö, Manchester,
Manhattan, Manila, Mannheim, Marseille, Melbourne, Mexico City, Miami, Milan, Minneapolis, Montreal, Moscow, Mumbai,
Munich, Nairobi, Nanjing, Naples, Nashville, Naxos, New Orleans, New York, New York City, New Jersey, Nice,
Nuremberg, Oakland, Oslo, Ottawa, Oxford, Palermo, Paris, Philadelphia, Phoenix, Pisa, Pittsburgh, Porto, Portland,
Potsdam, Prague, Provence, Quebec, Reykjavik, Riga, Rio de Janeiro, Rome, Rotterdam, Salzburg, San Diego,
San Francisco, San Jose, Santiago, Santorini, São Paulo, Sarajevo, Seattle, Seoul, Seville, Shanghai, Shenzhen,
Sicily, Singapore, Sofia, Stockholm, Strasbourg, Stuttgart, Suzhou, Sydney, Taipei, Tallinn, Tehran, Tel Aviv,
Texas, The Hague, Tokyo, Toronto, Toulouse, Trieste, Tuscany, Turin, Utrecht, Valencia, Vancouver, Venice, Verona,
Vienna, Vilnius, Warsaw, Washington, Wellington, Wuhan, Xi'an, Yokohama, Zagreb, Zurich, Zürich, Osaka, Hokkaido,
Bali, Naxos, Scotland, Wales, Afghanistan, Argentina, Armenia, Australia, Austria, Bangladesh, Belgium, Bolivia,
Brazil, Bulgaria, Cambodia, Canada, Chile, China, Colombia, Costa Rica, Croatia, Cuba, Cyprus, Czech Republic,
Denmark, Ecuador, Egypt, England, Estonia, Ethiopia, Finland, France, Germany, Ghana, Greece, Hungary, Iceland,
India, Indonesia, Iran, Iraq, Ireland, Israel, Italy, Jamaica, Japan, Kenya, Korea, South Korea, North Korea,
Latvia, Lebanon, Lithuania, Luxembourg, Malaysia, Malta, Mexico, Mongolia, Morocco, Nepal, Netherlands, New Zealand,
Nigeria, Northern Ireland, Norway, Pakistan, Peru, Philippines, Poland, Portugal, Romania, Russia, Saudi Arabia,
Senegal, Serbia, Slovakia, Slovenia, South Africa, Spain, Sri Lanka, Sweden, Switzerland, Syria, Taiwan, Tanzania,
Thailand, Tunisia, Turkey, Uganda, Ukraine, United Kingdom, UK, United States, USA, Uruguay, Venezuela, Vietnam,
Zambia, Zimbabwe, Europe, Asia, Africa, South America, North America, Antarctica, Silicon Valley, Bay Area,
Heathrow, Alps, Mediterranean, Danube, Rhine, Thames, Kreuzberg, Soho, Montmartre
""")

ORGANISATIONS = _names("""
Google, Microsoft, Apple, Amazon, Facebook, Meta, Netflix, OpenAI, Anthropic, DeepMind, Tesla, SpaceX, NASA, IBM,
Intel, AMD, Nvidia, NVIDIA, Oracle, SAP, Siemens, Bosch, BMW, Volkswagen, Mercedes-Benz, Toyota, Honda, Samsung,
Sony, Nintendo, Huawei, Xiaomi, Tencent, Alibaba, Baidu, ByteDance, Lenovo, Adobe, Salesforce, Spotify, Uber, Lyft,
Airbnb, Stripe, PayPal, Twitter, LinkedIn, Reddit, Yahoo, Mozilla, Red Hat, Canonical, JetBrains, Atlassian,
Cloudflare, Shopify, Zalando, Ikea, IKEA, Lufthansa, Ryanair, Deutsche Bahn, DHL, FedEx, UPS, BBC, CNN, Reuters,
New York Times, Guardian, UNESCO, UNICEF, WHO, NATO, United Nations, European Union, Red Cross, Greenpeace, Harvard,
MIT, Stanford, Yale, Princeton, ETH, ETH Zurich, Caltech, Goldman Sachs, JPMorgan, Morgan Stanley, Deloitte,
McKinsey, KPMG, PwC, Accenture, Pfizer, BioNTech, Novartis, Roche, Nestlé, Unilever, Starbucks, McDonald's, Walmart,
Costco, Aldi, Lidl, Decathlon, Philips, Nokia, Ericsson, Qualcomm, TSMC, ASML, Boeing, Airbus, Volvo, Renault,
Michelin, Allianz, Commerzbank, Deutsche Bank, Barclays, HSBC, UBS, Revolut, Klarna, Sparkasse,
Max Planck Institute, Fraunhofer, CERN, Wikipedia, Wikimedia, Hugging Face, Apache Software Foundation,
Linux Foundation, Disney, Pixar, Bundestag
""")

TOOLS = _names("""
Docker, Kubernetes, Git, GitHub, GitLab, Bitbucket, Jenkins, Terraform, Ansible, Puppet, Vagrant, Postgres,
PostgreSQL, MySQL, MariaDB, SQLite, MongoDB, Redis, Elasticsearch, Kafka, RabbitMQ, Cassandra, DuckDB, ClickHouse,
Nginx, nginx, Apache, Caddy, Traefik, Linux, Ubuntu, Debian, Fedora, Arch Linux, NixOS, Nix, Windows, macOS, iOS,
Android, Python, JavaScript, TypeScript, Rust, Golang, Java, Kotlin, Scala, Ruby, PHP, Perl, Haskell, Erlang,
Elixir, Clojure, Lua, Zig, C++, C#, Node.js, Deno, Bun, React, Vue, Angular, Svelte, Next.js, Django, Flask,
FastAPI, Rails, Laravel, Symfony, Spring Boot, Hibernate, NumPy, Pandas, pandas, PyTorch, TensorFlow, Keras,
Jupyter, Matplotlib, SciPy, scikit-learn, Vim, Neovim, Emacs, VS Code, VSCode, Visual Studio, Sublime Text,
IntelliJ, PyCharm, Xcode, Eclipse, Helix, tmux, zsh, bash, fish shell, PowerShell, Slack, Discord, Telegram,
WhatsApp, Signal, Zoom, Teams, Skype, Outlook, Gmail, Thunderbird, Excel, PowerPoint, Microsoft Word, Google Docs,
Google Sheets, Google Maps, Google Drive, Dropbox, OneDrive, Nextcloud, Notion, Obsidian, Evernote, Trello, Jira,
Confluence, Asana, Linear, Figma, Sketch, Photoshop, Illustrator, InDesign, Lightroom, Blender, Inkscape, GIMP,
Krita, Ableton, Audacity, Logic Pro, Firefox, Chrome, Chromium, Safari, Opera, ChatGPT, Claude, Copilot, Gemini,
GPT-4, Llama, Mistral, Midjourney, Stable Diffusion, Whisper, LangChain, Ollama, Grafana, Prometheus, Datadog,
Sentry, Splunk, Kibana, Airflow, Spark, Hadoop, Snowflake, BigQuery, Tableau, Power BI, Looker, dbt, AWS, Azure,
GCP, Heroku, Vercel, Netlify, DigitalOcean, Lambda, S3, EC2, Raspberry Pi, Arduino, ESP32, Home Assistant, Zigbee,
Bluetooth, iPhone, iPad, MacBook, MacBook Pro, Kindle, PlayStation, Xbox, Steam, Nintendo Switch, YouTube,
Instagram, TikTok, Pinterest, Substack, WordPress, Squarespace, Wix, Zotero, LaTeX, Overleaf, Markdown, Org mode,
Pandoc, OpenStreetMap, QGIS, AutoCAD, MATLAB, Mathematica, SPSS, Stata, webpack, Webpack, Vite, ESLint, Prettier,
Babel, npm, yarn, pnpm, pip, Poetry, Conda, Homebrew, Cargo, Maven, Gradle, CMake, Bazel, Make, GCC, Clang, LLVM,
Wireshark, Postman, curl, OpenSSL, WireGuard, OpenVPN, Tailscale, systemd, Wayland, GNOME, KDE, GraphQL, gRPC,
OAuth, Keycloak, Vault, Consul, Nomad, Helm, Istio, ArgoCD, Celery, pytest, Playwright, Selenium, Cypress,
Storybook, Tailwind, Bootstrap, jQuery, Swift, SwiftUI, Flutter, Dart, Unity, Unreal Engine, Godot, OpenCV, Sonos,
Roomba, Fitbit, Garmin, Strava, Duolingo, Anki, 1Password, Bitwarden, KeePass, LibreOffice
""")
AMBIGUOUS_TOOLS = _set("""
Apache Teams Signal Zoom Linear Sketch Opera Steam Make Vault Helm Spark Lambda Swift Unity Windows Rails Flask
React Angular Slack Spring Cargo Poetry Bootstrap Discord Notion Chrome Safari Excel Outlook Looker Whisper Meta
Apple Guardian Amazon Oracle Canonical Nice Turkey Chile Essen Washington Florence Sofia Milan Julia Claude Ruby
Signal Kindle Garmin Blender Eclipse Gemini Llama Copilot Puppet Nomad Consul Fish Bun Dart Helix Safari Vue Nix
Rust Java Lima Phoenix Stripe Bali Victoria Jordan Georgia
""")  # words of everyday life too: at the beginning of a sentence only where something speaks for the name

PERSON_BEFORE = (
    r"(?:met|meet|meeting|met up|lunch|dinner|coffee|call|calls|called|calling|chat|chatted|talk|talked|talking|"
    r"spoke|speak|"
    r"sync|interview|walk|breakfast|beers?|drinks) (?:up )?(?:with|to) |"
    r"\b(?:met|called|emailed|texted|phoned|ping|pinged|cc|cc'd|invite|invited|thank|thanks|ask|asked|tell|told|remind|"
    r"message|messaged|hi|hello|hey|dear|hire|hired|congratulate|visit my friend) |"
    r"\b(?:by|from) (?=[A-Z]\w+ (?:said|about|yesterday|today))|"
    r"\b[Mm]y (?:\w+ )?(?:friend|wife|husband|boss|colleague|coworker|brother|sister|son|daughter|cousin|"
    r"neighbou?r|roommate|flatmate|"
    r"manager|dentist|doctor|therapist|teacher|landlord|partner|girlfriend|boyfriend|mentor|uncle|aunt|niece|"
    r"nephew|cat|dog),? (?:called |named )?|"
    r"\b(?:named|called) (?:after )?|\b(?:his|her|our|their|the) (?:new )?(?:friend|wife|husband|boss|colleague|"
    r"brother|sister|son|daughter|cousin|neighbou?r|"
    r"manager|intern|landlord|teacher|designer|engineer|professor|lawyer|accountant|client|baby|kid) "
)
PERSON_AFTER = (
    r"(?:'s (?:birthday|wedding|phone|number|email|party|mother|father|mum|mom|dad|wife|husband|brother|sister|"
    r"son|daughter|house|car|desk|"
    r"opinion|idea|flight|baby|surgery|handwriting|thesis|advice|kids|office|parents|place|talk|feedback|laptop))\b|"
    r" (?:said|says|told|asked|asks|wrote|writes|thinks|thought|wants|wanted|agreed|agrees|suggested|suggests|"
    r"emailed|texted|mentioned|replied|"
    r"joined|promised|promises|called|phoned|explained|recommends|recommended|prefers|believes|hopes|likes|loves|"
    r"hates|knows|forgot|"
    r"complained|insisted|admitted|confirmed|apologised|apologized|laughed|smiled|cried|invited|offered|lent|owes|"
    r"brought|cooked|baked|"
    r"lives|moved|married|graduated|was born|is coming|is allergic|is moving|turns|turned \d|will present|"
    r"will review|pointed out|sent me|gave me|"
    r"taught|teaches|borrowed|and I|reviewed|presented|proposed|noticed|reminded|quit|resigned|retired|"
    r"is vegetarian|is vegan|is pregnant|snores|"
    r"fixed|feels|felt|cannot make it|can't make it|has agreed|keeps forgetting|broke (?:his|her)|passed (?:his|"
    r"her)|got (?:promoted|engaged|married))\b"
)
PLACE_BEFORE = (
    r"\b(?:lives?|lived|living|born|based|stay(?:ed|ing)?|grew up|weekend|vacation|holiday|conference|apartment|"
    r"flat|meetup|office|hotel|summer|winter|week|trip) (?:in|near) |"
    r"\b(?:moved|moving|move|flew|flying|fly|flight|trip|travel(?:led|ed|ling|ing)?|train|drive|drove|driving|"
    r"relocat(?:ed|e|ing)|back|hike|hiked|bus|ferry|ticket|tickets|road|went) to |"
    r"\b(?:visited|visiting|toured|around|near|outside|downtown|leaving|left for|arrive in|arrived in|landed in|via) "
)
ORG_BEFORE = (
    r"\b(?:works?|worked|working|job|jobs|intern|interned|internship|interview|interviewed|interviewing|position|"
    r"offer|role|engineer|engineers|designer|manager|"
    r"consultant|study|studies|studied|studying|colleague|researcher|CTO|CEO|CFO|recruiter|staff) (?:at|for|from|"
    r"with) |"
    r"\b(?:CEO|CTO|CFO|founder|director|head|employees|board|shareholders) of |\b(?:acquired|hired|employed|"
    r"founded|funded|sued) by |"
    r"\b(?:invoice|contract|quote|offer|letter|bill|refund) from |\b(?:insurance|account|insured|contract) (?:with|at) "
)
TOOL_BEFORE = (
    r"\b(?:using|use|uses|used|install|installed|installing|reinstall|switch(?:ed|ing)? to|migrat(?:e|ed|"
    r"ing) (?:\w+ )?(?:to|from)|upgrad(?:e|ed|ing)|uninstall(?:ed)?|"
    r"written in|built (?:with|on|in)|powered by|configure[ds]?|configuring|debug(?:ged|ging)?|learn(?:ing|ed)?|"
    r"rewrit(?:e|ten|ing) (?:\w+ )?in|deployed (?:\w+ )?(?:with|on)|"
    r"plugin for|extension for|wrapper around|version of|docs for|download(?:ed)?|subscribe to|(?:our|"
    r"the) (?=\w+ (?:cluster|server|plugin|instance|container|pipeline|dashboard|API|SDK|CLI)\b)) "
)
TOOL_AFTER = (
    r" (?:plugin|extension|cluster|container|server|dashboard|SDK|API|CLI|library|framework|v?\d+\.\d[\d.]*|"
    r"package|module|database|app|config)\b"
)

NOT_PERSON_ENDS = _set("""
Church Act Wall Assembly Empire Emperor Party War Army Award Cup League Festival Theory Prize Law Effect Sports
Lilies Legends Court Dynasty Revolution Treaty Constitution Parliament Games Club Team Week Month Year Show Code
Test Plan Report Conference Summit Open
""")

ADJECTIVES = _set("""
English German French Spanish Italian Chinese Japanese American British European Dutch Polish Russian Greek Turkish
Swedish Danish Korean Indian African Asian Latin Irish Scottish Swiss Austrian National Royal Free New Old Central
Open Great Long White Black Green Thai Vietnamese Mexican Brazilian Canadian Australian Hungarian Czech Norwegian
Finnish Ukrainian Belgian Israeli Egyptian Persian Lebanese
""")

COMMON = _set("""
a about above actually after again against all almost alone along already also although always am an and another any
anyone anything apparently are around as ask at ate away back bad be because been before being below best better
between big book both bought bring build but buy by call called came can cannot change check clean clear close cold
come coming cook could cut daily dear did didn do does doesn doing don done down draft drink drive due during each
early eat either else email end enough even ever every everyone everything except fact far feel few final finally
find finish first fix follow for forget found free from full fun get give go god going gone good got great guess had
half happy hard has have having he hello help her here hers hey hi high him his home hope how however i idea if
important in instead into is isn it its just keep kids know last late later learn least leave left less let life
like list little live long look looking lost lot love low lunch made make many may maybe me mean meet meeting met
might mind more morning most mostly move much must my myself near need never new next nice night no nobody none nope
nor not note nothing now of off often oh ok okay old on once one only open or order other our out outside over own
paid party pay people perhaps pick plan please possibly probably project put question quick quite rather read really
remember remind right run said same saw say says see send sent set several she should show since slept small so some
someone something sometimes soon sorry start started still stop such sure take talk team tell than thank thanks that
the their them then there these they thing things think this those though thought three through time to today todo
together tomorrow tonight too took tried true try turn two under unless until up update upon us use used using
usually very wait walk want was wasn watch water way we week well went were what when where whether which while who
whose why will wish with without won wonder work works would write wrong yeah yes yesterday yet you your yours
yourself decided weather traffic dinner breakfast coffee rent rain sunny hot cool dogs cats mom dad mum papa mama
granny grandma grandpa baby boss everybody somebody review deploy test tests build merge release version bug bugs
feature backup server database code data file files page link docs document report budget invoice agenda minutes
notes summary draft explain monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays
thursdays fridays saturdays sundays weekday weekdays weekend weekends january february march april june july
august september october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov
dec spring summer autumn fall winter christmas easter thanksgiving halloween ramadan english german french spanish
italian chinese japanese american british european dutch polish russian greek turkish portuguese swedish danish
korean indian african asian latin irish scottish swiss austrian thai vietnamese mexican brazilian canadian
australian hungarian czech norwegian finnish ukrainian belgian israeli egyptian persian lebanese
i'm i've i'll i'd it's that's there's what's let's
we're you're they're don't can't won't didn't doesn't isn't wasn't api http https url json xml html css sql pdf csv
faq todo fyi asap btw imo lol omg tbd eta ok cpu gpu ram ssd usb tv dvd id ui ux qa pr ci cd am pm ceo cto cfo hr it
vat gmt utc cet est pst aka diy eu nda rfc ssh vpn dns tcp udp ip tls ssl kb mb gb tb ai ml llm nlp phd ma ba bsc
msc vip rsvp ps nb re fwd cc bcc q1 q2 q3 q4 v1 v2
""")

WORDS = COMMON | frozenset(word.casefold() for word in AMBIGUOUS_FIRST | AMBIGUOUS_TOOLS)
"""Words of everyday life: as a name one of them counts only with a capital letter."""
