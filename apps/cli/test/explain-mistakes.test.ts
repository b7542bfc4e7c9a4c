/** `pay explain --request` names the cause of each mistake of three tables, and never another one. */
import { describe, expect, it } from "@effect/vitest"
import * as Explain from "@pay/signing/Explain"
import * as RequestMistakes from "../src/RequestMistakes.ts"
import { controlTable } from "./mistakes/ControlTable.ts"
import { oauthTable } from "./mistakes/OAuthTable.ts"
import { pastedTable } from "./mistakes/PastedText.ts"
import { type Row, rsa } from "./mistakes/RawRequest.ts"
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
    mistakes.map(({ id }) => id).join(" and ")
  )
}

it("has a row for each mistake that is known", () => {
  const rows = new Set([...controlTable, ...oauthTable, ...pastedTable].map(({ cause }) => cause))
  const catalogue = [...Explain.catalogue, ...RequestMistakes.catalogue].map(({ id }) => id)
  expect(catalogue.filter((id) => !rows.has(id))).toEqual([])
})

describe.each([
  ["control", controlTable],
  ["OAuth", oauthTable],
  ["a text of its own", pastedTable]
] as const)("pay explain of a request with %s", (_, table) => {
  it.each(table.map((row) => [row.did, row.cause, row] as const))("%s: %s", async (_, cause, row) => {
    const names = await causes(row)
    expect(names).toContain(cause)
    const others = names.filter((name) => name !== cause && row.or?.includes(name) !== true)
    expect(others, "causes that are not the one").toEqual([])
  })
})
