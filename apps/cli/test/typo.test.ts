/** A misspelt word is answered with the word that is meant, wherever it stands. */
import { expect, it } from "@effect/vitest"
import { merchant, pay } from "./Pay.ts"

it.each([
  ["oders show 1", "pay orders show?"],
  ["oder", "pay order?"],
  ["gatway start", "pay gateway start?"],
  ["--versoin", "pay --version?"],
  ["trigger decline", "pay trigger declined?"],
  ["trigger 3ds-chalenge", "pay trigger 3ds-challenge?"],
  ["orders shwo 1", "pay orders show?"],
  ["logs tial", "pay logs tail?"],
  ["keys rotat merchant", "pay keys rotate?"],
  ["profile ust sandbox", "pay profile use?"],
  ["profile show sandbx", "There are none yet"],
  ["flow sael", "pay flow sale?"],
  ["gateway strat", "pay gateway start?"],
  ["completion bsh", "pay completion bash?"],
  ["store chekc", "pay store check?"],
  ["adapter chekc x", "pay adapter check?"],
  ["call sael", "sale?"],
  ["explain sael", "sale?"],
  ["help oders", "pay help orders?"],
  ["help sael", "sale?"],
  ["why x --endpont 3", "--endpoint-id?"],
  ["status x --wtach", "--watch?"],
  ["conformance --harmles", "--harmless?"],
  ["doctor --jso", "--json?"],
  ["call sale --amout 3", "--amount?"],
  ["orders search --stauts approved", "--status?"]
])("pay %s: %s", async (line, meant) => {
  const run = await pay(line.split(" "), { env: { ...merchant, PAY_OPERATOR_URL: "http://127.0.0.1:1" } })
  expect([run.code, run.out]).toEqual([2, ""])
  expect(run.err).toContain(meant.endsWith("?") ? `Did you mean ${meant}` : meant)
})

it.each([
  ["orders show", "a word that is right"],
  ["trigger xyzxyz", "a word that resembles none"],
  ["status", "a command without words"]
])("pay %s suggests nothing for %s", async (line) => {
  const { err } = await pay(line.split(" "), { env: merchant })
  expect(err).not.toContain("Did you mean")
})
