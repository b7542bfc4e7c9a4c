/** A misspelt word is answered with the word that is meant, wherever it stands. */
import { expect, it } from "@effect/vitest"
import { commands } from "../src/Commands.ts"
import type { Command } from "../src/command/Command.ts"
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

/** Exchanges the two letters of a flag that are the last ones to differ: `--josn` for `--json`. */
const exchanged = (flag: string): string => {
  const at = [...flag].findLastIndex((letter, index) => index > 0 && letter !== flag[index - 1])
  return flag.slice(0, at - 1) + flag[at] + flag[at - 1] + flag.slice(at + 1)
}

/** Words that stand before the flags of a command which has none of its own without them. */
const words: Readonly<Record<string, ReadonlyArray<string>>> = {
  call: ["sale"],
  sign: ["sale"],
  verify: ["sale"],
  explain: ["sale"],
  flow: ["sale"]
}

it.each(Object.entries<Command>(commands))(
  "each misspelt flag of pay %s is answered with the flag",
  async (name, { flags }) => {
    const misspelt = [...Object.keys(flags), "profile"].map((flag) => [flag, exchanged(flag)] as const)
    const answers = await Promise.all(
      misspelt.map(async ([flag, typo]) => {
        const { code, err, out } = await pay([name, ...(words[name] ?? []), `--${typo}`, "1"], { env: merchant })
        return [flag, code, out, /Did you mean --([\w-]+)\?/.exec(err)?.[1]]
      })
    )
    expect(answers).toEqual(misspelt.map(([flag]) => [flag, 2, "", flag]))
  }
)

it.each(["only=x", "junit=x", "html=x"])("pay conformance refuses --%s with --harmless", async (flag) => {
  const run = await pay(["conformance", "--harmless", "--base-url=http://127.0.0.1:1", `--${flag}`], { env: merchant })
  expect([run.code, run.out]).toEqual([2, ""])
  expect(run.err).toContain("is of the whole suite, not of --harmless")
})

it.each([
  ["orders show", "a word that is right"],
  ["trigger xyzxyz", "a word that resembles none"],
  ["status", "a command without words"]
])("pay %s suggests nothing for %s", async (line) => {
  const { err } = await pay(line.split(" "), { env: merchant })
  expect(err).not.toContain("Did you mean")
})
