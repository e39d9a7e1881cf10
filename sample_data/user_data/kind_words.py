"""Words in the names of columns that show the kind of the values, in several languages and without accents."""

# Words in the names of codes: numbers without a size.
CODE_WORDS = {
    # official codes
    "zip", "zipcode", "postcode", "postal", "postleitzahl", "plz", "cep", "fips", "cbsa", "gkz", "insee", "ibge",
    "sic", "naics", "isic", "nace", "cnae", "ateco", "isco", "icd", "cpt", "drg", "sku", "upc", "ean", "gtin",
    "cusip", "permno", "gvkey", "blz", "code", "codes", "codigo", "codice",
    # places
    "state", "province", "provincia", "provinz", "county", "country", "nation", "pais", "pays", "paese",
    "bundesland", "kanton", "canton", "region", "regione", "regio", "district", "distrito", "bezirk", "borough",
    "neighborhood", "neighbourhood", "municipality", "municipio", "gemeinde", "gemeente", "commune", "comune",
    "city", "town", "village", "stadt", "ville", "ciudad", "cidade", "citta", "zone", "zona", "continent",
    "location", "station", "geo", "origin", "destination",
    # organisations
    "firm", "company", "firma", "entreprise", "empresa", "azienda", "bedrijf", "sector", "secteur", "settore",
    "industry", "branche", "department", "departement", "departamento", "abteilung", "provider", "inst", "instit",
    "institution", "center", "centre", "centro", "zentrum", "site", "hospital", "clinic", "school", "schule",
    "escuela", "ecole", "scuola", "ward", "store", "shop", "filiale", "branch", "chamber", "supplier", "vendor",
    "lieferant", "fournisseur", "proveedor", "fornitore", "manufacturer", "hersteller", "airline", "carrier",
    # experiments and production
    "panel", "plate", "batch", "block", "plot", "expt", "experiment", "treatment", "trt", "treat", "group", "grp",
    "gruppe", "grupo", "groupe", "gruppo", "groep", "cluster", "study", "trial", "machine", "maschine", "litter",
    "brood", "nest", "cage", "herd", "sire", "ship", "vessel",
    # people and their roles
    "operator", "rater", "interviewer", "investigator", "observer", "examiner", "technician", "surgeon",
    "physician", "judge", "sex", "gender", "geschlecht", "sexe", "sexo", "sesso", "geslacht", "race", "raza",
    "raca", "ethnicity", "ethnic", "etnia", "religion", "konfession", "nationality", "nationalitaet", "nationalite",
    "nacionalidad", "nacionalidade", "occupation", "ocupacion", "ocupacao", "beruf", "beroep", "profession",
    "professione", "profesion", "profissao", "metier", "marital", "familienstand",
    # kinds
    "type", "typ", "tipo", "kind", "sorte", "soort", "species", "breed", "variety", "cultivar", "genotype",
    "strain", "brand", "marke", "marque", "marca", "merk", "category", "kategorie", "categoria", "categorie",
    "route", "histol", "histology", "film",
}  # fmt: skip
CODE_ENDS = ("code", "cod", "zip", "fips", "type", "nummer")
# Words of categories if the numbers are few and small. Plurals such as "cells" are counts and are not listed.
KIND_WORDS = {
    "class", "klasse", "classe", "clase", "status", "statut", "estado", "stato", "etat", "condition", "cond",
    "cell", "orientation", "direction", "richtung", "side", "position", "origen", "origine", "herkunft", "source",
    "quelle", "dest", "place", "ort", "lieu", "lugar", "area", "territory", "division", "habitat", "soil", "rock",
    "crop", "language", "lang", "sprache", "langue", "idioma", "lingua", "taal", "party", "partei", "parti",
    "partido", "partito", "candidate", "relationship", "relation", "job", "employment", "empstat", "marstat",
    "major", "faculty", "program", "programme", "prog", "course", "curso", "corso", "fach", "studienfach",
    "filiere", "carrera", "mode", "method", "methode", "metodo", "technique", "procedure", "verfahren", "protocol",
    "design", "format", "style", "shape", "form", "material", "color", "colour", "farbe", "couleur", "colore",
    "cor", "kleur", "reason", "grund", "raison", "motif", "motivo", "cause", "ursache", "causa", "purpose",
    "diagnosis", "diagnose", "diag", "disease", "krankheit", "maladie", "enfermedad", "doenca", "malattia",
    "ziekte", "tissue", "drug", "therapy", "therapie", "arm", "regimen", "intervention", "behandlung", "traitement",
    "tratamiento", "tratamento", "trattamento", "behandeling", "insurance", "transport", "fuel", "transmission",
    "heating", "product", "produkt", "produit", "producto", "produto", "prodotto", "model", "modell", "modele",
    "modelo", "modello", "make", "channel", "platform", "segment", "variant", "campaign", "weekday", "dow", "wday",
    "dayofweek", "wochentag", "season", "saison", "jahreszeit", "estacion", "stagione", "weather", "weathersit",
    "wetter", "shift", "schicht", "turno", "teacher", "doctor", "instructor", "coder", "reader", "lab",
    "laboratory", "labor", "farm", "field", "lane", "recipe", "strata", "poison", "toxin", "chemical", "compound",
    "additive", "catalyst", "solvent", "spray", "feed", "diet", "fertilizer", "fertiliser", "herbicide",
    "fungicide", "insecticide", "pathogen", "duenger", "engrais", "stratum", "pattern", "vehicle", "team", "league",
    "scenario", "stimulus", "stim",
}  # fmt: skip
KIND_ENDS = ("race", "typ", "gruppe", "klasse", "status", "region", "kategorie", "group", "grp")
# First words of names in which the noun comes first, such as "estado_civil".
KIND_HEADS = {
    "status", "statut", "estado", "etat", "stato", "couleur", "color", "colore", "cor", "motif", "motivo", "lieu",
    "lugar", "classe", "clase", "forme", "forma", "parti", "partido", "partito", "methode", "metodo", "cause",
    "causa", "origine", "origen", "modele", "modelo", "modello", "orientation", "diagnosi", "diagnose",
}  # fmt: skip
RATED = {"condition", "cond"}  # words of kinds if the numbers have even shares, and otherwise of ratings
SCHOOL = {"school", "schule", "escuela", "ecole", "scuola"}  # also mean the years at school
# Last words of names of quantities, such as "store_sales" or "group_size".
QUANTITY_WORDS = {
    "size", "population", "pop", "area", "income", "revenue", "turnover", "price", "cost", "profit", "age",
    "length", "width", "height", "weight", "distance", "dist", "depth", "rate", "ratio", "share", "percent", "pct",
    "score", "rating", "rank", "grade", "level", "mean", "average", "avg", "median", "min", "max", "std", "volume",
    "density", "speed", "temp", "temperature", "capacity", "experience", "satisfaction", "quality", "balance",
    "debt", "tax", "gdp", "spend", "budget", "value", "amount", "duration", "stay", "frequency", "freq",
    "elevation", "altitude", "groesse", "einkommen", "umsatz", "preis", "alter", "flaeche", "einwohner", "taille",
    "prix", "surface", "chiffre", "mpg", "mph", "kmh", "hp", "fare", "precio", "ingreso", "edad", "poblacion",
    "superficie", "tamano", "prezzo", "eta", "popolazione", "prijs",
}  # fmt: skip
NUMBER_WORDS = {"number", "num", "no", "nr", "nbr", "nummer", "numero"}  # after the name of a thing or a code
COUNT_WORDS = {
    "count", "counts", "number", "num", "total", "sum", "quantity", "cnt", "hours", "days", "minutes", "rings",
    "times", "visits", "anzahl", "stunden", "tage", "menge", "nombre", "cantidad", "satellites", "accidents",
    "goals", "eggs", "births", "deaths", "claims", "items", "reports", "incidents", "crashes", "calls", "errors",
    "defects",
}  # fmt: skip
TIME_WORDS = {
    "year", "yr", "yyyy", "month", "week", "day", "dd", "date", "time", "quarter", "period", "hour", "minute",
    "second", "doy", "yday", "dayofyear", "season", "decade", "epoch", "step", "trend", "t", "jahr", "monat",
    "woche", "tag", "stunde", "tage", "wochen", "monate", "jahre", "stunden", "minuten", "zeit", "datum", "annee",
    "mois", "semaine", "jour", "heure", "temps", "ano", "mes", "semana", "dia", "hora", "fecha", "anno", "mese",
    "settimana", "giorno", "ora", "jaar", "maand", "dag", "uur",
}  # fmt: skip
NAMING = {
    "name", "namen", "names", "kunde", "customer", "title", "titel", "bezeichnung", "id", "kennung", "nome",
    "nombre", "nom", "naam", "surname", "firstname", "lastname", "vorname", "nachname", "prenom", "apellido",
    "cognome",
}  # fmt: skip
ID_WORDS = {
    "id", "no", "nr", "number", "index", "row", "key", "uuid", "record", "unnamed", "kennung", "rownames",
    "rowname", "rownumber", "rowid", "obs", "observation",
}  # fmt: skip
# words in the names of columns that only number the rows of a table
ROW_WORDS = {
    "index", "row", "unnamed", "rownames", "rowname", "rownumber", "rowid", "obs", "observation",
}  # fmt: skip
# Last words of the names of columns that name subjects or groups of rows, in several languages.
THING_WORDS = {
    "id", "ids", "uid", "uuid", "guid", "identifier", "identificador", "identifiant", "kennung", "subject", "subj",
    "patient", "patnr", "proband", "participant", "respondent", "stratum", "strata", "pair", "pairid", "matchset",
    "caseid", "animal", "individual", "sujet", "sujeto", "paciente", "paziente", "soggetto", "persoon", "person",
    "personnr", "household", "family", "famid", "pid", "subjid", "subid", "idnum", "idno", "ssn", "iban", "barcode",
}  # fmt: skip
# People and households, which numbers as large as theirs do not count.
PERSON_WORDS = {
    "mom", "mother", "dad", "father", "parent", "child", "kid", "woman", "man", "student", "pupil", "worker",
    "employee", "employer", "customer", "client", "user", "player", "house", "household", "couple", "owner", "tenant",
    "voter", "donor", "mutter", "vater", "kind", "frau", "mann", "schueler", "kunde", "haushalt", "mere", "pere",
    "enfant", "femme", "homme", "eleve", "menage", "madre", "padre", "hijo", "mujer", "hombre", "alumno", "hogar",
    "figlio", "donna", "uomo", "alunno", "famiglia", "mae", "pai", "filho", "mulher", "aluno", "moeder", "vader",
    "vrouw", "leerling", "klant", "gezin",
}  # fmt: skip
ID_ONLY = {"id", "ids", "uid", "uuid", "guid", "identifier", "kennung", "identificador", "identifiant"}
# Words before "id" in a name without a separator, such as "userid".
BEFORE_ID = {
    "sample", "user", "customer", "client", "order", "product", "item", "movie", "player", "team", "game", "match",
    "employee", "student", "case", "record", "row", "obs", "hh", "session", "device", "account", "member", "visit",
    "tree", "person", "store", "transaction", "event", "trip", "class", "cell",
}  # fmt: skip
PLACE_WORDS = {
    "address", "street", "adresse", "strasse", "rue", "direccion", "calle", "indirizzo", "url", "email", "mail",
    "phone", "telephone", "telefon",
}  # fmt: skip
