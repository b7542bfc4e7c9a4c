/**
 * Currencies and their minor units: ISO 4217, list one (active codes; SIX is the maintenance agency). Funds codes without a minor
 * unit, metals and test codes are left out, because they are not used in payments.
 */
const byDigits: ReadonlyArray<readonly [digits: number, codes: string]> = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
     COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS
     INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR
     MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
     STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`
  ],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"]
]

const digitsOf: ReadonlyMap<string, number> = new Map(
  byDigits.flatMap(([digits, codes]) => codes.split(/\s+/).map((code): [string, number] => [code, digits]))
)

/** Number of decimals of the currency: USD 2, JPY 0, KWD 3. `undefined` for an unknown code. Codes are in upper case. */
export const digits = (code: string): number | undefined => digitsOf.get(code)

/** All codes of the table, in alphabetical order. */
export const codes: ReadonlyArray<string> = [...digitsOf.keys()].sort()
