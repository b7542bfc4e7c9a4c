/** No request stores its own card number or security code as plain text, whatever field has it and however it is written. */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import type { Operation } from "../src/Operation.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Sample from "../src/Sample.ts"

const number = "4444333322221111"
const other = "4111111111111111"

const grouped = (separator: string): string => number.replace(/(....)(?=.)/g, `$1${separator}`)
const inScript = (zero: number): string => number.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

const separators = [
  "",
  " ",
  "-",
  ".",
  "/",
  "#",
  "=",
  "~",
  "(",
  ")",
  "_",
  ":",
  ",",
  "|",
  "*",
  "+",
  " - ",
  "\u00a0",
  "\u2009"
]
const invisible = ["\u200b", "\u2060", "\u00ad", "%20", "%23", "%2520", "&nbsp;", "&#35;", "\\u0023", "x", ") ("]
const spellings: ReadonlyArray<string> = [
  ...[...separators, ...invisible].map(grouped),
  inScript(0xff10),
  inScript(0x6f0),
  inScript(0x660),
  `no ${number}, 12/35`,
  `x${number}9`,
  [...number].join(" ")
]

const problemsOf = (operation: Operation, fields: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Result.match(operation.decodeFields({ ...Sample.request(operation), ...fields }), {
    onSuccess: () => [],
    onFailure: (problems) => problems.map(({ code, field }) => `${code} ${field}`)
  })

const operations: ReadonlyArray<Operation> = Object.values(PayApi.operations)

/** Names of the fields with a card number. */
const numbersOf = ({ infos }: Operation): ReadonlyArray<string> =>
  [...infos].flatMap(([name, { kind, maxLength }]) => (kind === "card" && maxLength >= 12 ? name : []))

/** Names of the fields that accept the text beside the number. */
const textsOf = (operation: Operation, text: string): ReadonlyArray<string> =>
  [...operation.infos].flatMap(([name, info]) =>
    info.kind !== "cvv" &&
    !numbersOf(operation).includes(name) &&
    info.flaw(text) === undefined &&
    info.translation.decode(text) !== undefined
      ? name
      : []
  )

describe.each(
  operations
    .filter((operation) => numbersOf(operation).length > 0)
    .map((operation) => [operation.name, operation] as const)
)("a request of %s", (_, operation) => {
  it("is refused if another field repeats its card number in any spelling, and not for another number", () => {
    for (const card of numbersOf(operation)) {
      for (const text of spellings) {
        for (const name of textsOf(operation, text)) {
          expect(problemsOf(operation, { [card]: number, [name]: text }), `${name}: ${text}`).toContain(`69 ${name}`)
        }
      }
      const free = textsOf(operation, other).filter((name) => name.includes("desc") || name.includes("merchant"))
      for (const name of free)
        expect(problemsOf(operation, { [card]: number, [name]: other }), name).not.toContain(`69 ${name}`)
    }
  })
  it("is refused if a header of the browser repeats its card number before the place where it is cut", () => {
    if (!operation.infos.has("customer_browser_user_agent")) return
    for (const length of [10, 5000]) {
      const customer_browser_user_agent = `${grouped("/")} ${"x".repeat(length)}`
      for (const card of numbersOf(operation))
        expect(problemsOf(operation, { [card]: number, customer_browser_user_agent })).toContain(
          "69 customer_browser_user_agent"
        )
    }
  })
  it("is refused for a card number that no scheme issues", () => {
    for (const card of numbersOf(operation)) {
      for (const wrong of [
        "0000000000000000",
        "0000 0000 0000 0000",
        "０００００００００００００００",
        "0444433332222111",
        "000000000000"
      ])
        expect(problemsOf(operation, { [card]: wrong }), `${card} ${wrong}`).toContain(`66 ${card}`)
    }
  })
  it("takes a card number with blanks, hyphens and dots, and in digits of other scripts", () => {
    for (const card of numbersOf(operation)) {
      for (const typed of [" ", "-", ".", "\u00a0", "\u200b", "\u2010"]
        .map(grouped)
        .concat(inScript(0x6f0), inScript(0xff10)))
        expect(problemsOf(operation, { [card]: typed }), `${card} ${typed}`).not.toContain(`2 ${card}`)
      for (const wrong of ["4444*3333*2222*1111", "444433******1111", "4444a333322221111"])
        expect(problemsOf(operation, { [card]: wrong }), `${card} ${wrong}`).toContain(`2 ${card}`)
    }
  })
})

const { SALE, PAYOUT, SALEFORM } = PayApi.operations

describe("a name", () => {
  it.each<[Operation, string, string, ReadonlyArray<string>]>([
    [SALE, "card_printed_name", "123", ["69 card_printed_name"]],
    [SALE, "card_printed_name", "(1-2 3)", ["69 card_printed_name"]],
    [SALE, "last_name", "#123", ["69 last_name"]],
    [SALE, "last_name", "۱۲۳", ["69 last_name"]],
    [SALE, "last_name", "John 123", []],
    [SALE, "last_name", "1234", []],
    [SALE, "address1", "123", []],
    [SALE, "order_desc", "123", []],
    [SALE, "card_printed_name", "4111 1111 1111 1111", ["69 card_printed_name"]],
    [SALE, "first_name", "4111-1111-1111-1111 12/30", ["69 first_name"]],
    [SALE, "first_name", "John 4111111111111112", []],
    [SALE, "order_desc", "4111 1111 1111 1111", []],
    [SALE, "email", "4111111111111111@shop.example", []],
    [SALEFORM, "first_name", "4111111111111111", ["69 first_name"]],
    [PAYOUT, "account_name", "4111111111111111", ["69 account_name"]]
  ])("%#", (operation, name, text, expected) =>
    expect(problemsOf(operation, { [name]: text }).filter((problem) => problem.endsWith(name))).toEqual(expected)
  )
})
