import * as Canonical from "@pay/schema/Canonical"
import type { Dialect } from "@pay/schema/Dialect"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as Places from "../../../../packages/schema/src/fields/Places.ts"
import * as NormalFields from "../../src/http/NormalFields.ts"
import * as Country from "../../src/recipients/Country.ts"

const { SALE } = PayApi.operations

type Address = Readonly<Record<"country" | "state" | "zip_code", string | undefined>>

const fieldsOf = ({ country, state, zip_code }: Address): Readonly<Record<string, string>> => {
  const { country: _, state: __, zip_code: ___, ...others } = Sample.request(SALE)
  return {
    ...others,
    ...(country === undefined ? {} : { country }),
    ...(state === undefined ? {} : { state }),
    ...(zip_code === undefined ? {} : { zip_code })
  }
}

/** `country state zip_code` as the gateway decodes them, or the messages about what is wrong. */
const read = (address: Address, dialect: Dialect = "json"): string => {
  const normal = NormalFields.of(SALE, fieldsOf(address))
  const problems = NormalFields.allProblems([], normal, SALE, dialect)
  const decoded = problems.length > 0 ? Result.fail(problems) : SALE.decodeFields(normal.fields, dialect)
  return Result.match(decoded, {
    onSuccess: ({ country, state = "-", zip_code = "-" }) => `${country} ${state} ${zip_code}`,
    onFailure: (problems) =>
      problems.map(({ code, message }) => `${code} ${message.replace("Parameter ", "")}`).join(", ")
  })
}

const contentOf = (address: Address) => Canonical.content(SALE, SALE.normalFields(fieldsOf(address)))

/** A cell `-` means that the field is absent. */
const rows = (table: string): ReadonlyArray<[country: string, state: string, zip: string, expected: string]> =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([country = "", state = "", zip = "", expected = ""]) => [country, state, zip, expected])

const given = (cell: string): string | undefined => (cell === "-" ? undefined : cell)
const addressOf = (country: string, state: string, zip: string): Address => ({
  country: given(country),
  state: given(state),
  zip_code: given(zip)
})

const list = (codes: string) => `2 state must be the code of a state of ${codes}`
const canada = list("CA (ISO 3166-2): AB, BC, MB, NB, NL, NS, NT, NU, ON, PE, QC, SK, YT")
const australia = list("AU (ISO 3166-2): ACT, NSW, NT, QLD, SA, TAS, VIC, WA")
const use = (code: string) => `2 country must be a country's code of ISO 3166-1: use ${code}`
const unknown = "2 country must be a country's code of ISO 3166-1, two letters like GB"

describe("the country, state and postal code of an address", () => {
  it.each(
    rows(`
      GB             | -          | SW1A 1AA | GB - SW1A 1AA
      gb             | -          | sw1a 1aa | GB - SW1A 1AA
      XK             | -          | -        | XK - -
      UK             | -          | SW1A 1AA | ${use("GB")}
      uk             | -          | SW1A 1AA | ${use("GB")}
      U.K.           | -          | SW1A 1AA | ${use("GB")}
      GBR            | -          | SW1A 1AA | ${use("GB")}
      826            | -          | SW1A 1AA | ${use("GB")}
      United Kingdom | -          | SW1A 1AA | ${use("GB")}
      EL             | -          | 10431    | ${use("GR")}
      DEU            | -          | 10115    | ${use("DE")}
      Germany        | -          | 10115    | ${use("DE")}
      USA            | CA         | 90001    | ${use("US")}
      Côte d’Ivoire  | -          | -        | ${use("CI")}
      ZZ             | -          | 1        | ${unknown}
      EU             | -          | 1        | ${unknown}
      SU             | -          | 1        | ${unknown}
      AC             | -          | 1        | ${unknown}
      999            | -          | 1        | ${unknown}
      1              | -          | 1        | ${unknown}
      -              | -          | 1        | 1 country is required
      ES             | B          | 08001    | ES B 08001
      ES             | ES-B       | 08001    | ES B 08001
      ES             | Barcelona  | 08001    | ES Barcelona 08001
      JP             | 13         | 100-0001 | JP 13 100-0001
      JP             | JP-13      | 100-0001 | JP 13 100-0001
      JP             | jp-23      | 100-0001 | JP 23 100-0001
      jp             | JP-23      | 100-0001 | JP 23 100-0001
      AT             | 9          | 1010     | AT 9 1010
      GB             | eng        | SW1A 1AA | GB ENG SW1A 1AA
      DE             | -          | 10115    | DE - 10115
      DE             | Bayern     | 80331    | DE Bayern 80331
      DE             | US-CA      | 80331    | DE US-CA 80331
      PR             | -          | 00901    | PR - 00901
      US             | CA         | 90001    | US CA 90001
      US             | us-ca      | 90001    | US CA 90001
      US             | PR         | 00901    | US PR 00901
      US             | DC         | 20001    | US DC 20001
      US             | AE         | 09001    | US AE 09001
      US             | GU         | 96910    | US GU 96910
      US             | -          | 90001    | 1 state is required
      CA             | ON         | K1A 0A1  | CA ON K1A 0A1
      CA             | ca-on      | k1a 0a1  | CA ON K1A 0A1
      CA             | XX         | K1A 0A1  | ${canada}
      CA             | Ontario    | K1A 0A1  | ${canada}
      CA             | -          | K1A 0A1  | 1 state is required
      AU             | NSW        | 2000     | AU NSW 2000
      AU             | US-WA      | 2000     | ${australia}
      AU             | -          | 2000     | 1 state is required
      HK             | -          | -        | HK - -
      AE             | -          | -        | AE - -
      IE             | -          | -        | IE - -
      PA             | -          | 0801     | PA - 0801
      DE             | -          | -        | 1 zip_code is required
      US             | CA         | -        | 1 zip_code is required
      GB             | -          | -        | 1 zip_code is required
      DE             | -          | 12345678901 | 3 zip_code is longer than 10 characters`)
  )("%s, state %s, postal code %s: %s", (country, state, zip, expected) =>
    expect(read(addressOf(country, state, zip))).toBe(expected)
  )

  it.each([
    ["US", "-", "90001", "US - 90001"],
    ["US", "California", "90001", "US California 90001"],
    ["HK", "-", "-", "HK - -"],
    ["UK", "-", "1", use("GB")],
    ["DE", "-", "-", "1 zip_code is required"]
  ])("in the older dialect, %s, state %s, postal code %s: %s", (country, state, zip, expected) =>
    expect(read(addressOf(country, state, zip), "pairs")).toBe(expected)
  )

  it.each([
    [
      { country: "jp", state: "JP-23", zip_code: "100-0001" },
      { country: "JP", state: "23", zip_code: "100-0001" }
    ],
    [
      { country: "gb", state: "gb-eng", zip_code: "sw1a 1aa" },
      { country: "GB", state: "ENG", zip_code: "SW1A 1AA" }
    ]
  ])("is the same content of a request in another spelling", (one, other) =>
    expect(contentOf(one)).toBe(contentOf(other))
  )
})

describe("the list of countries", () => {
  it("has the 249 codes of ISO 3166-1, and XK", () => expect(Country.codes).toHaveLength(250))

  it("has the regions of Unicode CLDR, without those that ISO reserves, has withdrawn or leaves to users", () => {
    const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    const others = "AC CP CQ DG EA EU EZ IC QO TA UK UN XA XB ZZ AN BU CS DD DY FX HV NH RH SU TP VD YD YU ZR".split(
      " "
    )
    const inCldr = letters
      .flatMap((first) => letters.map((second) => first + second))
      .filter((code) => names.of(code) !== undefined && !others.includes(code))
    expect(inCldr).toEqual(Country.codes)
  })

  it("has the countries of all postal codes and states", () => {
    const countries = new Set(Country.codes)
    expect([...Places.withPostalCode, ...Places.withState].filter((code) => !countries.has(code))).toEqual([])
  })
})
