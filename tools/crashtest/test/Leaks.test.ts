import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CardNumbers from "../src/shop/CardNumbers.ts"
import * as Leaks from "../src/shop/Leaks.ts"
import { LeakSearch } from "../src/shop/ShopOutput.ts"

const card = "4444555566661111"
const masked = "444455******1111"
const hidden = "[card data]"
const cardData = { numbers: [card], beside: ["123", ...CardNumbers.expiries("12", "2040")] }

/** What a shop may write, and the line of the report. */
const spellings: ReadonlyArray<readonly [how: string, text: string, line: string | undefined]> = [
  ["as digits", `card ${card} charged`, `card ${masked} charged`],
  ["with blanks", "card 4444 5555 6666 1111 charged", `card ${masked} charged`],
  ["with dashes", "card=4444-5555-6666-1111;", `card=${masked};`],
  ["in groups of another card", "4444 555566 661111", masked],
  ["in JSON", JSON.stringify({ card: "4444 5555 6666 1111" }), `{"card":"${masked}"}`],
  ["with escapes of JSON", '{"card":"4444\\u00205555\\u00206666\\u00201111"}', `{"card":"${masked}"}`],
  ["with digits that are escaped", '{"card":"\\u0034444555566661111"}', `{"card":"${masked}"}`],
  ["in JSON with Unicode", '{"card":"4444\\u00a05555\\u00a06666\\u00a01111"}', `{"card":"${masked}"}`],
  ["percent-encoded", "card=4444%205555%206666%201111&cvv2=123", `card=${masked}&cvv2=${hidden}`],
  ["percent-encoded twice", "card=4444%25205555%25206666%25201111", `card=${masked}`],
  ["in a form", "card=4444+5555+6666+1111", `card=${masked}`],
  ["with every digit percent-encoded", `card=${[...card].map((digit) => `%3${digit}`).join("")}`, `card=${masked}`],
  ["in HTML", "4444&nbsp;5555&nbsp;6666&nbsp;1111", masked],
  ["twice in a line", `${card} and ${card}`, `${masked} and ${masked}`],
  ["beside another card", `${card} 5555555555554444`, `${masked} [number]`],
  [
    "with its code and expiry in JSON",
    `{"card":"${card}","cvv2":"123","expires":"12/2040"}`,
    `{"card":"${masked}","cvv2":"${hidden}","expires":"${hidden}"}`
  ],
  [
    "with its code and expiry in a form",
    `expire_month=12&expire_year=40&cvv=123&n=${card}`,
    `expire_month=${hidden}&expire_year=${hidden}&cvv=${hidden}&n=${masked}`
  ],
  [
    "with its code in XML",
    `<n>${card}</n><securityCode>123</securityCode>`,
    `<n>${masked}</n><securityCode>${hidden}</securityCode>`
  ],
  [
    "with its code in escaped JSON",
    `{\\"n\\":\\"${card}\\",\\"cvc\\":\\"123\\"}`,
    `{\\"n\\":\\"${masked}\\",\\"cvc\\":\\"${hidden}\\"}`
  ],
  ["with its code and expiry without names", `${card};123;1240;42.00`, `${masked};${hidden};${hidden};42.00`],
  ["with another's code", `${card} cvv2: 999`, `${masked} cvv2: ${hidden}`],
  ["with an amount and a year", `order 1234 of 2026: ${card} 10.42`, `order 1234 of 2026: ${masked} 10.42`],
  ["in one of many lines", `a\n${card}\nb`, masked],
  ["masked", masked, undefined],
  ["another number", "4444555566661112", undefined],
  ["its last four digits", "card ending in 1111", undefined]
]

const search = (pieces: ReadonlyArray<Uint8Array>) => {
  const leaks = new LeakSearch(cardData)
  for (const piece of pieces) leaks.add(piece)
  return leaks.lines
}

describe("a card number in the output of a shop", () => {
  it.each(spellings)("%s", (_, text, line) => {
    const bytes = Buffer.from(`${text}\n`)
    const expected = line === undefined ? [] : [line]
    expect([...new Set(search([bytes]))]).toEqual(expected)
    // The pieces of a stream end anywhere.
    if (!text.includes("and"))
      expect(search([...bytes].map((byte) => Uint8Array.of(byte))).map((each) => each.slice(0, 3))).toEqual(
        expected.map((each) => each.slice(0, 3))
      )
  })
  it("in UTF-16", () => expect(search([Buffer.from(`card ${card}`, "utf16le")])).toHaveLength(1))
  it("a thousand times is reported some times", () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `${index}: ${card}\n`)
    expect(search([Buffer.from(lines.join(""))])).toHaveLength(20)
  })
})

const inFolder = <A, E>(use: (folder: string) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "pay-leaks-"))),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

const database = (path: string, type: string, value: string | number) => {
  const database = new DatabaseSync(path)
  database.exec(`create table cards (number ${type})`)
  database.prepare("insert into cards values (?)").run(value)
  database.close()
}

const text = (content: string) => (path: string) => writeFileSync(path, content)

/** A file that a shop writes, how the template names it, and where the report says that the number is. */
const files: ReadonlyArray<
  readonly [
    what: string,
    path: string,
    write: (path: string) => void,
    names: ReadonlyArray<string>,
    places: ReadonlyArray<string>
  ]
> = [
  ["a file", "shop.log", text(`card ${card}`), ["shop.log"], ["shop.log"]],
  ["a folder", "data/2026/a.log", text(card), ["data"], ["data/2026/a.log"]],
  ["a pattern", "log/a.txt", text(card), ["log/*.txt"], ["log/a.txt"]],
  ["a pattern of all folders", "log/deep/a.txt", text(card), ["**/*.txt"], ["log/deep/a.txt"]],
  ["a hidden file in a folder", "data/.cache", text(card), ["data"], ["data/.cache"]],
  ["a file after a megabyte", "a.log", text(`${"x".repeat(1024 * 1024 - 8)}${card}`), ["a.log"], ["a.log"]],
  ["texts of SQLite", "shop.db", (path) => database(path, "text", card), ["shop.db"], ["shop.db"]],
  ["integers of SQLite", "shop.db", (path) => database(path, "integer", Number(card)), ["shop.db"], ["shop.db"]],
  [
    "latest rows of SQLite",
    "shop.db-wal",
    (path) => {
      text("")(path.slice(0, -4))
      text(card)(path)
    },
    ["shop.db"],
    ["shop.db-wal"]
  ],
  ["a package of others", "data/node_modules/a.js", text(card), ["data"], []],
  ["another file than named", "other.log", text(card), ["shop.log"], []],
  ["a file without it", "shop.log", text("4444 **** **** 1111"), ["shop.log"], []]
]

describe("a card number in the files of a shop", () => {
  it.effect.each(files)("%s", ([, path, write, names, places]) =>
    inFolder((folder) =>
      Effect.gen(function* () {
        mkdirSync(join(folder, path, ".."), { recursive: true })
        write(join(folder, path))
        const leaks = yield* Leaks.make({ folder, files: names, cardData })
        expect(leaks.map(({ place }) => place)).toEqual(places)
        expect(JSON.stringify(leaks)).not.toContain(card)
      })
    )
  )
})
