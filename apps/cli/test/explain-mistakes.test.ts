/** `pay explain --request` names the cause of each mistake of these tables, and never another one. */
import { describe, expect, it } from "@effect/vitest"
import * as Explain from "@pay/signing/Explain"
import * as RequestMistakes from "../src/explain/RequestMistakes.ts"
import { controlTable } from "./mistakes/ControlTable.ts"
import { furtherControlTable, furtherOAuthTable, pairsTable } from "./mistakes/more/FurtherTable.ts"
import { oauthTable } from "./mistakes/OAuthTable.ts"
import { pastedTable } from "./mistakes/PastedText.ts"
import { type Row, rsa } from "./mistakes/RawRequest.ts"
import { unseenTable } from "./mistakes/unseen/UnseenTable.ts"
import { merchant, pay } from "./Pay.ts"
import { file } from "./TestFiles.ts"

const privateKeyFile = file("mistakes.pem", rsa.privateKey.export({ type: "pkcs8", format: "pem" }).toString())

/** Returns the names of all causes that the program finds. */
const causes = async ({ args = [], env = {}, request }: Row): Promise<ReadonlyArray<string>> => {
  const run = await pay(["explain", "--request=-", "--json", ...args], {
    input: request,
    env: { ...merchant, PAY_PRIVATE_KEY_FILE: privateKeyFile, ...env }
  })
  if (run.code === 2) return [`usage: ${run.out}`]
  const { _tag, findings = [] } = JSON.parse(run.out)
  if (_tag === "Correct") return ["right"]
  if (_tag === "Unexplained") return ["unexplained"]
  return findings.map(({ mistakes }: { mistakes: ReadonlyArray<{ id: string }> }) =>
    named(mistakes.map(({ id }) => id))
  )
}

/** Mistakes that were made together have no order. */
const named = (ids: ReadonlyArray<string>): string => ids.toSorted().join(" and ")

/** Some rows with such a cause, which are not left to test:all. */
const kept = [
  "a key that nothing tells of",
  "no & after the key, and a blank as +",
  "capture: the amount of an earlier try"
]

/** `npm test` runs each fourth row of the first tables, and each twelfth of those of many languages. */
const each =
  (step: number) =>
  ({ did }: Row, index: number) =>
    index % step === 0 || kept.includes(did)
const without = (table: ReadonlyArray<Row>, step: number) => table.filter((row, index) => !each(step)(row, index))

const tables = {
  control: controlTable.filter(each(4)),
  OAuth: oauthTable.filter(each(4)),
  "a text of its own": pastedTable,
  "control, in many languages": furtherControlTable.filter(each(12)),
  "OAuth, in many languages": furtherOAuthTable.filter(each(12)),
  "a mistake that was listed before it was tried": unseenTable.filter(each(12)),
  "one of the further mistakes": [
    ...[controlTable, oauthTable].flatMap((table) => without(table, 4)),
    ...[furtherControlTable, furtherOAuthTable, unseenTable].flatMap((table) => without(table, 12))
  ]
}

/** Causes that are searched for after the others, which takes a second. */
const late = /unexplained|request-other|parts-other| and /

const isLong = ({ cause, did }: Row): boolean => late.test(cause) && !kept.includes(did)

it("has a row for each mistake that is known", () => {
  const rows = new Set(Object.values(tables).flatMap((table) => table.map(({ cause }) => cause)))
  const catalogue = [...Explain.catalogue, ...RequestMistakes.catalogue].map(({ id }) => id)
  expect(catalogue.filter((id) => !rows.has(id))).toEqual([])
})

describe.each([
  ...Object.entries(tables).map(([name, table]) => [name, table.filter((row) => !isLong(row))] as const),
  [
    "two mistakes or an unlikely one",
    [...Object.values(tables).flatMap((table) => table.filter(isLong)), ...pairsTable]
  ] as const
])("pay explain of a request with %s", (_, table) => {
  it.each(table.map((row) => [row.did, row.cause, row] as const))("%s: %s", async (_, cause, row) => {
    const names = await causes(row)
    const causesOfRow = [cause, ...(row.or ?? [])].map((name) => named(name.split(" and ")))
    expect(causesOfRow).toEqual(expect.arrayContaining([...names]))
    expect(names).not.toEqual([])
  })
})
