/** Colours are for terminals, and NO_COLOR and FORCE_COLOR decide otherwise. */
import { expect, it } from "@effect/vitest"
import { merchant, pay } from "./Pay.ts"

const wrong = ["explain", "status", "--client_orderid=1", "--received=0"]

it.each([
  ["a terminal", true, {}, true],
  ["a file", false, {}, false],
  ["a terminal with NO_COLOR", true, { NO_COLOR: "1" }, false],
  ["a terminal with an empty NO_COLOR", true, { NO_COLOR: "" }, true],
  ["a terminal without colours", true, { TERM: "dumb" }, false],
  ["a file with FORCE_COLOR", false, { FORCE_COLOR: "1" }, true],
  ["a terminal with FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, false],
  ["a file with FORCE_COLOR and NO_COLOR", false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true]
])("help and doctor on %s", async (_, isTerminal, env: Readonly<Record<string, string>>, isColored) => {
  for (const args of [["help"], ["help", "call"], ["doctor"]]) {
    const { out } = await pay(args, { env, isTerminal })
    expect(out.includes("\u001b["), args.join(" ")).toBe(isColored)
  }
})

it("a color changes nothing but the color", async () => {
  const [plain, colored] = await Promise.all(["0", "1"].map((force) => pay(["help"], { env: { FORCE_COLOR: force } })))
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d{1,2}m`, "g")
  expect(colored?.out.replace(escapes, "")).toBe(plain?.out)
})

it("JSON has no color, and a text of another has its escapes shown", async () => {
  const env = { ...merchant, FORCE_COLOR: "1" }
  const json = await pay([...wrong, "--json"], { env })
  expect(json.out).not.toContain("\u001b[")
  const { out } = await pay(["explain", "--request=-"], {
    env,
    input: "POST /api/v2/void/1 HTTP/1.1\nContent-Type: x\u001b[31m\n\na=b"
  })
  expect(out).not.toContain("\u001b[31m")
})
