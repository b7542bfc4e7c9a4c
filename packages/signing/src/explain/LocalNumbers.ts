/** Numbers as programs print them in the language of a machine or of a user. */

/** Languages that write numbers in different ways: their separators, their groups, their digits, the place of the currency. */
const languages = [
  "en-US",
  "de-DE",
  "fr-FR",
  "es-ES",
  "ru-RU",
  "de-CH",
  "de-AT",
  "en-IN",
  "en-ZA",
  "sv-SE",
  "pl-PL",
  "pt-BR",
  "tr-TR",
  "it-CH",
  "ar-EG",
  "fa-IR",
  "hi-IN-u-nu-deva",
  "nl-NL",
  "da-DK",
  "nb-NO",
  "ja-JP"
]

type Options = Readonly<Intl.NumberFormatOptions>

/** The printers that were used. To make one takes longer than to print with it. */
const printers = new Map<string, Intl.NumberFormat>()

const printerOf = (language: string, options: Options): Intl.NumberFormat => {
  const name = `${language} ${JSON.stringify(options)}`
  const printer = printers.get(name) ?? new Intl.NumberFormat(language, options)
  printers.set(name, printer)
  return printer
}

/** Returns a number with `decimals` in the writings of many languages, with and without its currency. */
export const written = (number: number, decimals: number, currency: string): ReadonlyArray<string> => {
  const digits: Options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const styles: ReadonlyArray<Options> = [
    digits,
    { ...digits, useGrouping: false },
    ...(/^[A-Z]{3}$/.test(currency)
      ? (["symbol", "narrowSymbol", "code"] as const).map(
          (currencyDisplay): Options => ({ ...digits, style: "currency", currency, currencyDisplay })
        )
      : [])
  ]
  const texts = languages.flatMap((language) => styles.map((style) => printerOf(language, style).format(number)))
  return [
    ...new Set(
      texts.flatMap((text) => [
        text,
        text.replaceAll(/[\u00a0\u202f]/g, " "),
        text.replaceAll(/[\u00a0\u202f]/g, "\u00a0"),
        text.replaceAll("’", "'"),
        text.replaceAll("'", "’")
      ])
    )
  ]
}

/** Returns the signs and names of a currency in several languages. */
export const signsOf = (currency: string): ReadonlyArray<string> =>
  /^[A-Z]{3}$/.test(currency)
    ? [
        ...new Set(
          ["en-US", "en-GB", "de-DE", "ru-RU", "ja-JP"].flatMap((language) =>
            (["symbol", "narrowSymbol", "name"] as const).map(
              (currencyDisplay) =>
                printerOf(language, { style: "currency", currency, currencyDisplay })
                  .formatToParts(1)
                  .find(({ type }) => type === "currency")?.value ?? ""
            )
          )
        )
      ].filter((sign) => sign !== currency && sign !== "")
    : []

/** Numbers of currencies (ISO 4217), which databases of banks have in place of the letters. */
export const currencyNumbers: Readonly<Record<string, string>> = {
  AED: "784",
  AMD: "051",
  AUD: "036",
  AZN: "944",
  BHD: "048",
  BRL: "986",
  BYN: "933",
  CAD: "124",
  CHF: "756",
  CNY: "156",
  CZK: "203",
  DKK: "208",
  EUR: "978",
  GBP: "826",
  GEL: "981",
  HKD: "344",
  HUF: "348",
  ILS: "376",
  INR: "356",
  JOD: "400",
  JPY: "392",
  KES: "404",
  KGS: "417",
  KRW: "410",
  KWD: "414",
  KZT: "398",
  MXN: "484",
  MYR: "458",
  NGN: "566",
  NOK: "578",
  NZD: "554",
  OMR: "512",
  PHP: "608",
  PLN: "985",
  RON: "946",
  RSD: "941",
  RUB: "643",
  SAR: "682",
  SEK: "752",
  SGD: "702",
  THB: "764",
  TND: "788",
  TRY: "949",
  UAH: "980",
  USD: "840",
  UZS: "860",
  VND: "704",
  ZAR: "710"
}
