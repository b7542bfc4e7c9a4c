import { afterAll, assert, beforeAll, describe, expect, it } from "@effect/vitest"
import * as CallbackFields from "@pay/schema/CallbackFields"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Clock, Effect } from "effect"
import * as CallbackSnippets from "../src/snippets/CallbackSnippets.ts"
import * as ExampleRequest from "../src/snippets/ExampleRequest.ts"
import * as Snippets from "../src/snippets/Snippets.ts"
import * as SnippetRun from "./SnippetRun.ts"
import { start, type TestSandbox } from "./TestSandbox.ts"

let sandbox: TestSandbox
const folder = SnippetRun.folder()
beforeAll(async () => {
  sandbox = await start()
})
afterAll(async () => {
  folder.close()
  await sandbox.close()
})

/** One operation of each way of signing. */
const { CREATE_RP_V4, PAYOUT, SALE } = PayApi.operations
const tested: ReadonlyArray<readonly [scheme: string, operation: Operation]> = [
  ["control", SALE],
  ["HMAC-SHA1", PAYOUT],
  ["RSA-SHA256", CREATE_RP_V4]
]

describe.each(tested)("a request signed by %s", (_, operation) => {
  it.each(["curl", "TypeScript"] as const)("works in %s", async (language) => {
    const text = Snippets.of(ExampleRequest.of(operation))[language]
    const variables = SnippetRun.variablesOf(sandbox)
    const { code, output } = await SnippetRun.run(folder.path, operation.name, language, text, { variables })
    assert.strictEqual(code, 0, output)
    assert.strictEqual(JSON.parse(output).type, Sample.answer(operation).type, output)
  })
})

it("every example takes the number of a stored card from an earlier answer", () => {
  for (const { fields, operation } of ExampleRequest.all)
    for (const { name, value } of fields)
      if (/card-?ref-?id$/.test(name)) assert.strictEqual(value._tag, "Earlier", `${operation.command} ${name}`)
})

const seconds = Math.floor(Effect.runSync(Clock.currentTimeMillis) / 1000)
const signed = (timestampSeconds: number) =>
  CallbackSnippets.vector(
    Object.entries({
      status: "approved",
      orderid: "17",
      client_orderid: "Ö 1+1",
      amount: CallbackFields.sample.amount ?? ""
    }),
    { id: "17-1", timestampSeconds }
  )
const argumentsOf = ({ headers, query }: CallbackSnippets.Vector) => [query, ...Object.values(headers)]
const genuine = argumentsOf(signed(seconds))

const callbacks: ReadonlyArray<readonly [what: string, args: ReadonlyArray<string>, isAccepted: boolean]> = [
  ["accepts a genuine callback", genuine, true],
  ["refuses a changed status", genuine.map((text) => text.replace("status=approved", "status=declined")), false],
  ["refuses a changed amount", genuine.map((text) => text.replace("amount=10.42", "amount=99.42")), false],
  ["refuses an old callback", argumentsOf(signed(seconds - 3600)), false]
]

describe.each(["curl", "TypeScript"] as const)("the check of a callback in %s", (language) => {
  it.each(callbacks)("%s", async (what, args, isAccepted) => {
    const text = CallbackSnippets.snippets[language]
    const name = `check-${callbacks.findIndex(([each]) => each === what)}`
    const { code, output } = await SnippetRun.run(folder.path, name, language, text, { args })
    expect(code === 0, output).toBe(isAccepted)
    if (isAccepted) expect(output.trim()).toBe("Ö 1+1")
  })
})
