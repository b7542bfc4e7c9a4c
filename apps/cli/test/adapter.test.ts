/** `pay adapter check`: what it takes, and which promises it finds broken in the module of an operator. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as AdapterCards from "../src/adapter/AdapterCards.ts"
import type * as Flags from "../src/command/Flags.ts"
import { pay, source, spawned } from "./Pay.ts"
import * as TestFiles from "./TestFiles.ts"

const bank = join(import.meta.dirname, "adapters/SimulatedBank.ts")
const terms = ["--merchant=shop", "--currency=EUR"]

const cards = async () => TestFiles.file("cards.json", (await pay(["adapter", "check", "--example"])).out)

/** Checks the simulated bank with these methods of its acquirer and its list of bookings, as plain JavaScript. */
const check = async (code: string, args: ReadonlyArray<string>) => {
  const path = TestFiles.file(
    "adapter.mjs",
    `import make from ${JSON.stringify(bank)}
export default async ({ Effect, Acquirer }) => {
  const adapters = await make()
  const { acquirer, bankBooks } = adapters
  const changes = (() => { ${code} })()
  return { ...adapters, acquirer: { ...acquirer, ...changes.acquirer }, bankBooks: { ...bankBooks, ...changes.bankBooks } }
}`
  )
  return spawned(["adapter", "check", path, ...terms, `--file=${await cards()}`, ...args], { main: source })
}

const parsed = (out: string): { readonly promises: ReadonlyArray<Record<string, string>> } & Record<string, unknown> =>
  JSON.parse(out)

/** The lines of a broken promise. */
const broken = (what: string): RegExp =>
  new RegExp(`BROKEN {3}\\w+: .*\n +What happened: .*${what.replaceAll(/[[\].]/g, "\\$&")}.*\n +What to do: \\w`)

describe("pay adapter check", () => {
  it("finds every promise kept by the simulated bank, in the currency and with the amount of the operator", async () => {
    const args = [
      "adapter",
      "check",
      bank,
      "--merchant=shop",
      "--currency=JPY",
      "--amount=37",
      `--file=${await cards()}`,
      "--json"
    ]
    const { code, err, out } = await spawned(args, { main: source })
    expect([code, err]).toEqual([0, ""])
    const { kept, promises, ...counts } = parsed(out)
    expect(counts).toMatchObject({ outcome: "kept", broken: 0 })
    expect(kept).toBeGreaterThan(30)
    expect(new Set(promises.map(({ port }) => port))).toEqual(
      new Set(["acquirer", "bankBooks", "payoutRail", "railBooks", "threeDSServer"])
    )
  })

  it("finds each wrong answer, says what happened and what to do, and shows no card number", async () => {
    const { code, err, out } = await check(
      `const changed = (answer, changes) => Effect.map(answer, (given) => ({ ...given, ...changes }))
       return {
         acquirer: {
           authorize: (request) =>
             changed(acquirer.authorize(request), request.recipient ? { processorTxId: undefined } : {}),
           followUp: (kind, request) => {
             if (kind === "void") throw "boom 4444555566661111"
             if (kind === "refund") return Effect.uninterruptible(Effect.never)
             return changed(acquirer.followUp(kind, request), request.amountMinor === 1 ? { code: 0 } : {})
           },
           eligible: (request) => changed(acquirer.eligible(request), { _tag: "approved" }),
           inquire: async () => ({ _tag: "NotFound" })
         },
         bankBooks: {
           bookings: (...args) =>
             Effect.map(bankBooks.bookings(...args), (page) => ({
               ...page,
               bookings: [...page.bookings, { reference: "1-sale-0", amountMinor: "1042" }]
             }))
         }
       }`,
      ["--time-limit=1"]
    )
    expect([code, err]).toEqual([1, ""])
    for (const what of [
      "AnswerLost: acquirer.authorize: processorTxId: Expected string",
      "AnswerLost: acquirer.capture: code: Expected a whole number from 1",
      "AnswerLost: acquirer.eligible: _tag: Expected Approved or Declined",
      "AnswerLost: acquirer.void: it died: boom [number]",
      "it did not end within 1 s",
      "AnswerLost: acquirer.inquire: it returned a promise, not an Effect: wrap it in Effect.tryPromise",
      "amountMinor: Expected number"
    ])
      expect(out).toMatch(broken(what))
    expect(out).not.toContain("4444555566661111")
  })

  it("finds a bank that books a repeated capture twice", async () => {
    const { code, out } = await check(
      `let count = 50
       return {
         acquirer: {
           followUp: (kind, request) =>
             acquirer.followUp(kind, kind === "capture"
               ? { ...request, reference: request.orderId + "-capture-" + (count += 1) }
               : request)
         }
       }`,
      ["--json"]
    )
    expect(code).toBe(1)
    expect(
      parsed(out)
        .promises.filter(({ outcome }) => outcome === "broken")
        .map(({ promise }) => promise)
    ).toEqual([
      "a repeated capture is booked once",
      // The bank lists it under a reference that is not the gateway's.
      "a hold, its capture, a return and a release are listed, each with its reference, kind, amount and result",
      "what the bank declines is listed as declined: a sale, a capture, a return and a release"
    ])
  })

  it("stops when the bank is not reached, and compares answers without the bank's time", async () => {
    const { code, out } = await check(
      `let ms = 0
       return {
         acquirer: {
           capabilities: { ...acquirer.capabilities, eligibility: false },
           authorize: (request) => request.card.cvv && request.capture
             ? Effect.fail(new Acquirer.AcquirerError({ reason: new Acquirer.NotSent({ message: "wrong key" }) }))
             : Effect.map(acquirer.authorize(request), (answer) => ({ ...answer, bankTimeMs: (ms += 1) }))
         }
       }`,
      ["--json"]
    )
    expect(code).toBe(1)
    const promises = parsed(out).promises.filter(({ port }) => port === "acquirer")
    const beforeSale = promises.slice(
      0,
      promises.findIndex(({ outcome }) => outcome !== "kept")
    )
    expect(beforeSale.length).toBeGreaterThan(8)
    const advice = "Check the address of the bank's test system, the network, and the credentials."
    const [sale, ...others] = promises.slice(beforeSale.length).filter(({ outcome }) => outcome !== "kept")
    expect(sale).toMatchObject({ what: "NotSent: wrong key", advice })
    expect(others.map(({ outcome, why }) => why ?? outcome)).toEqual([
      "broken",
      "broken",
      `the bank was not reached. ${advice}`,
      "no suite calls reverse: lose an answer on purpose"
    ])
  })

  it("names the parts that a module lacks", async () => {
    const path = TestFiles.file("empty.mjs", "export default () => ({ acquirer: { capabilities: {} } })")
    const { code, err } = await pay(["adapter", "check", path, ...terms, `--file=${await cards()}`])
    expect(code).toBe(1)
    expect(err).toContain("adapters: acquirer.authorize must be a function")
  })

  it.each([
    ["a module that never answers", "export default () => new Promise(() => {})", "gave no adapters within 1 s"],
    ["a module that throws", 'export default () => { throw new Error("no secret") }', "no secret"]
  ])("ends with %s", async (_, code, text) => {
    const path = TestFiles.file(`${text.length}.mjs`, code)
    const { code: exit, err } = await spawned([
      ...["adapter", "check", path, ...terms, `--file=${await cards()}`, "--time-limit=1"]
    ])
    expect([exit, err]).toEqual([1, expect.stringContaining(text)])
  })

  it.each([
    [["adapter"], "Say what to check"],
    [["adapter", "check"], "Name the module"],
    [["adapter", "check", "x.mjs"], "Give --merchant LOGIN"],
    [["adapter", "check", "x.mjs", "--merchant=shop"], "--currency is the code of a currency"],
    [["adapter", "check", "x.mjs", "--merchant=shop", "--currency=XXQ"], "--currency is the code of a currency"],
    [["adapter", "check", "x.mjs", ...terms, "--amount=0.09"], "at least 0.10"],
    [["adapter", "check", "x.mjs", ...terms], "Give a test card that the bank approves"],
    [
      ["adapter", "check", "x.mjs", ...terms, "--card-number=4444555566661111"],
      "Give a test card that the bank declines"
    ],
    [["adapter", "check", "x.mjs", ...terms, "--card-number=4111"], "--card-number is 12 to 19 digits"],
    [["adapter", "check", "x.mjs", ...terms, "--time-limit=0"], "--time-limit is a whole number"]
  ])("refuses %j", async (args, text) => {
    const { code, err } = await pay(args)
    expect([code, err]).toEqual([2, expect.stringContaining(text)])
  })

  it("reads the recipients of its file as the gateway reads them", async () => {
    const card = { number: "4444333322221111" }
    const file = (number: string) => {
      const account = { kind: "account", number }
      const content = { approved: card, declined: card, payouts: { paid: [], refused: account } }
      return TestFiles.file("recipient.json", JSON.stringify(content))
    }
    const given = (number: string): Flags.Given => ({ operands: [], flags: new Map([["file", file(number)]]) })
    const { recipients } = await AdapterCards.read(given("de89 3704 0044 0532 0130 00"), 0)
    expect(recipients && Redacted.value(recipients.refused.number)).toBe("DE89370400440532013000")
    await expect(AdapterCards.read(given("DE89 3704 0044 0532 0130 01"), 0)).rejects.toThrow(
      "payouts.refused.number: The account is not a valid IBAN: its check digits do not fit"
    )
  })

  it("names the wrong part of its file, and repeats no number", async () => {
    const path = TestFiles.file("wrong.json", JSON.stringify({ approved: { number: "4012888888881881x" } }))
    const { code, err } = await pay(["adapter", "check", "x.mjs", ...terms, `--file=${path}`])
    expect([code, err]).toEqual([2, expect.stringContaining("approved.number: Expected 12 to 19 digits")])
  })
})
