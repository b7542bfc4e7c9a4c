/**
 * Countries: ISO 3166-1:2020, the 249 officially assigned codes of two and of three letters. The list is the same since South Sudan
 * was added on 2011-08-09; a test compares it with the one of Unicode CLDR in this Node. `XK` is added. A list that grows with the
 * world is the gateway's: a client sends what it is given.
 */

/** Each code of two letters, followed by its code of three letters. */
const assigned = `
  ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD
  BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN
  CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU
  DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB
  GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG
  HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN
  KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU
  LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR
  MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL
  OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB
  RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP
  SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN
  TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT
  ZAZAF ZMZMB ZWZWE`

/** Kosovo has no code of ISO 3166-1. Card schemes, banks and the EU use this one, which the standard leaves to its users. */
const kosovo = "XKXKX"

const pairs = [...assigned.trim().split(/\s+/), kosovo].map((pair): [string, string] => [
  pair.slice(0, 2),
  pair.slice(2)
])

/** All codes of two letters, in alphabetical order. */
export const codes: ReadonlyArray<string> = pairs.map(([code]) => code).sort()

const all: ReadonlySet<string> = new Set(codes)

/** Other words for a country that people send, without those that CLDR knows. */
const words: Readonly<Record<string, string>> = {
  UK: "GB",
  "GREAT BRITAIN": "GB",
  BRITAIN: "GB",
  ENGLAND: "GB",
  SCOTLAND: "GB",
  WALES: "GB",
  EL: "GR",
  "UNITED STATES OF AMERICA": "US",
  HOLLAND: "NL",
  TURKEY: "TR",
  "CZECH REPUBLIC": "CZ",
  MACEDONIA: "MK",
  SWAZILAND: "SZ",
  "CAPE VERDE": "CV",
  "IVORY COAST": "CI",
  BURMA: "MM",
  KOREA: "KR",
  "RUSSIAN FEDERATION": "RU",
  UAE: "AE",
  DD: "DE",
  FX: "FR",
  BU: "MM",
  TP: "TL",
  ZR: "CD"
}

/** Longer than every name of a country. */
export const longestName = 64

let english: ReadonlyMap<string, string> | undefined

/** The English names of CLDR in upper case. They are read at the first wrong country. */
const englishNames = (): ReadonlyMap<string, string> => {
  const names = new Intl.DisplayNames(["en"], { type: "region" })
  return new Map(codes.map((code) => [(names.of(code) ?? code).toUpperCase(), code]))
}

/** Returns the code of the country that a wrong text most likely means: `GB` for `UK`, `GBR`, `826` and `United Kingdom`. */
const meant = (text: string): string | undefined => {
  if (text.length > longestName) return undefined
  const word = text.replaceAll(".", "").toUpperCase()
  if (all.has(word)) return word
  if (words[word] !== undefined) return words[word]
  if (/^\d{3}$/.test(word)) return all.has(numeric(word)) ? numeric(word) : undefined
  english ??= englishNames()
  return pairs.find(([, three]) => three === word)?.[0] ?? english.get(word)
}

/** Returns the code for a number of ISO 3166-1, which CLDR lists as an alias. Other numbers stay as they are. */
const numeric = (digits: string): string => new Intl.Locale(`und-${digits}`).region ?? digits

/** Returns what is wrong with a country in normal form, as the end of the sentence `… must be`. `undefined` if it is a code. */
export const flaw = (text: string): string | undefined => {
  if (all.has(text)) return undefined
  const code = meant(text)
  return code === undefined
    ? "must be a country's code of ISO 3166-1, two letters like GB"
    : `must be a country's code of ISO 3166-1: use ${code}`
}

/** States whose code a payment needs: ISO 3166-2:2020, and for the US the three codes of its military post (USPS publication 28). */
const states: Readonly<Record<string, ReadonlySet<string>>> = {
  US: new Set(
    (
      "AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA RI " +
      "SC SD TN TX UT VA VT WA WI WV WY AS GU MP PR UM VI AA AE AP"
    ).split(" ")
  ),
  CA: new Set("AB BC MB NB NL NS NT NU ON PE QC SK YT".split(" ")),
  AU: new Set("ACT NSW NT QLD SA TAS VIC WA".split(" "))
}

/** Returns what is wrong with a state in normal form. `undefined` if it is right, or if its country does not need it. */
export const stateFlaw = (state: string, country: string): string | undefined => {
  const listed = states[country]
  return listed === undefined || listed.has(state)
    ? undefined
    : `must be the code of a state of ${country} (ISO 3166-2): ${[...listed].join(", ")}`
}
