import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import { Result, Schema } from "effect"
import * as CustomerAddress from "../../src/network/CustomerAddress.ts"
import * as Risk from "../../src/risk/Risk.ts"
import * as RiskRules from "../../src/risk/RiskRules.ts"

const nowMs = 1_790_000_000_000
const hourMs = 3_600_000
const rules = (config: RiskRules.Config, maxAmount: Readonly<Record<string, string>> = {}): Risk.Rules =>
  Result.getOrThrow(RiskRules.make(maxAmount, config))

const facts = (changes: Partial<Risk.RiskFacts> = {}): Risk.RiskFacts => ({
  bin: "444433",
  cardHashes: ["v1.card-with-expiry", "v1.card"],
  email: "John@Shop.example",
  address: CustomerAddress.of("203.0.113.7"),
  country: "US",
  amountMinor: 1_000,
  currency: "USD",
  nowMs,
  velocityEntries: { card: [], email: [], address: [] },
  ...changes
})

/** Returns payments of 10.00, each made the given number of seconds ago. */
const ago = (...seconds: ReadonlyArray<number>) =>
  seconds.map((second) => ({ atMs: nowMs - second * 1000, currency: "USD", amountMinor: 1_000 }))
const card = (...seconds: ReadonlyArray<number>) => ({
  velocityEntries: { card: ago(...seconds), email: [], address: [] }
})

const hourly = (more: object = {}) => rules({ velocity: [{ per: "card", withinSeconds: 3600, count: 3 }], ...more })
const money = rules({ velocity: [{ per: "card", withinSeconds: 3600, sum: { USD: "30.00" } }] })

type Case = readonly [string, Risk.Rules, Partial<Risk.RiskFacts>, string | undefined]
const cases: ReadonlyArray<Case> = [
  ["no rules", rules({}), {}, undefined],

  ["exactly the limit", rules({}, { USD: "10.00" }), {}, undefined],
  ["a cent above the limit", rules({}, { USD: "10.00" }), { amountMinor: 1_001 }, "max-amount"],
  ["a limit of another currency", rules({}, { EUR: "10.00" }), { amountMinor: 1_001 }, undefined],

  ["a blocked card, by hash", rules({ block: { cards: ["v1.card"] } }), {}, "block:card"],
  ["a blocked card, by its first digits", rules({ block: { cards: ["444433"] } }), {}, "block:card"],
  ["another blocked card", rules({ block: { cards: ["v1.other", "411111"] } }), {}, undefined],
  ["a blocked e-mail in other case", rules({ block: { emails: ["JOHN@shop.EXAMPLE"] } }), {}, "block:email"],
  ["a blocked domain", rules({ block: { emails: ["@shop.example"] } }), {}, "block:email"],
  ["another domain", rules({ block: { emails: ["@example"] } }), {}, undefined],
  ["a blocked address", rules({ block: { addresses: ["203.0.113.7"] } }), {}, "block:address"],
  ["a blocked network", rules({ block: { addresses: ["203.0.113.0/24"] } }), {}, "block:address"],
  ["an address outside a blocked network", rules({ block: { addresses: ["203.0.112.0/24"] } }), {}, undefined],
  [
    "a blocked IPv6 network",
    rules({ block: { addresses: ["2001:db8::/32"] } }),
    { address: CustomerAddress.of("2001:db8:1::7") },
    "block:address"
  ],
  ["no address at all", rules({ block: { addresses: ["0.0.0.0/0"] } }), { address: CustomerAddress.none }, undefined],
  ["a blocked country", rules({ block: { countries: ["US"] } }), {}, "block:country"],
  ["a blocked country in lower case", rules({ block: { countries: ["us"] } }), {}, "block:country"],
  ["a blocked country with blanks", rules({ block: { countries: [" US\n"] } }), {}, "block:country"],
  ["a blocked e-mail with blanks", rules({ block: { emails: ["@shop.example\u200b\n"] } }), {}, "block:email"],
  ["a blocked address with blanks", rules({ block: { addresses: [" 203.0.113.7\n"] } }), {}, "block:address"],
  ["no country", rules({ block: { countries: ["US"] } }), { country: undefined }, undefined],
  ["every country", rules({ block: { countries: ["*"] } }), { country: undefined }, "block:country"],

  [
    "blocked, but allowed",
    rules({ block: { addresses: ["203.0.113.0/24"] }, allow: { addresses: ["203.0.113.7"] } }),
    {},
    undefined
  ],
  ["one country alone", rules({ block: { countries: ["*"] }, allow: { countries: ["US"] } }), {}, undefined],
  [
    "another country than the one",
    rules({ block: { countries: ["*"] }, allow: { countries: ["US"] } }),
    { country: "FR" },
    "block:country"
  ],
  [
    "a blocked card with an allowed e-mail",
    rules({ block: { cards: ["444433"] }, allow: { emails: ["@shop.example"] } }),
    {},
    "block:card"
  ],
  ["an allowed card above the limit", rules({ allow: { cards: ["444433"] } }, { USD: "9.99" }), {}, "max-amount"],

  ["the third payment where three are allowed", hourly(), card(1, 2), undefined],
  ["the fourth payment where three are allowed", hourly(), card(1, 2, 3), "velocity:card:3600s"],
  ["the fourth payment, with one of the others an hour old", hourly(), card(1, 2, 3600), undefined],
  [
    "the fourth payment, with one of the others less than an hour old",
    hourly(),
    card(1, 2, 3599),
    "velocity:card:3600s"
  ],
  ["the fourth payment of an allowed card", hourly({ allow: { cards: ["444433"] } }), card(1, 2, 3), undefined],
  [
    "the fourth payment of a card with an allowed e-mail",
    hourly({ allow: { emails: ["@shop.example"] } }),
    card(1, 2, 3),
    "velocity:card:3600s"
  ],
  [
    "payments that share the e-mail, under a rule for cards",
    hourly(),
    { velocityEntries: { card: [], email: ago(1, 2, 3), address: [] } },
    undefined
  ],

  ["exactly the sum", money, card(1, 2), undefined],
  ["a cent above the sum", money, { ...card(1, 2), amountMinor: 1_001 }, "velocity:card:3600s"],
  ["a sum of another currency", money, { ...card(1, 2, 3), currency: "EUR" }, undefined],
  [
    "payments in another currency",
    money,
    { velocityEntries: { card: ago(1, 2, 3).map((entry) => ({ ...entry, currency: "EUR" })), email: [], address: [] } },
    undefined
  ],
  [
    "the shorter of two rules for e-mails",
    rules({
      velocity: [
        { per: "email", withinSeconds: 60, count: 1 },
        { per: "email", withinSeconds: 86_400, count: 9 }
      ]
    }),
    { velocityEntries: { card: [], email: ago(30), address: [] } },
    "velocity:email:60s"
  ]
]

describe("the risk rules of an endpoint", () => {
  for (const [name, endpointRules, changes, expected] of cases) {
    it(`stop or pass a payment: ${name}`, () => assert.strictEqual(Risk.judge(endpointRules, facts(changes)), expected))
  }
})

describe("risk rules", () => {
  it("read payments as far back as the longest rule of their kind", () => {
    const endpointRules = rules({
      velocity: [
        { per: "card", withinSeconds: 60, count: 1 },
        { per: "card", withinSeconds: 3600, count: 9 },
        { per: "email", withinSeconds: 86_400, count: 9 }
      ]
    })
    assert.deepStrictEqual(
      Risk.counted.map((kind) => Risk.looksBackMs(endpointRules, kind)),
      [hourMs, 24 * hourMs, 0]
    )
  })

  it("read no more payments than they need", () => {
    const count = { per: "card", withinSeconds: 60, count: 3 } as const
    const sum = { per: "email", withinSeconds: 60, count: 5, sum: { USD: "1.00" } } as const
    assert.deepStrictEqual(
      Risk.counted.map((kind) => Risk.looksAt(rules({ velocity: [count, { ...count, count: 7 }, sum] }), kind)),
      [7, 10_000, 0]
    )
  })

  it.each([
    ["max-amount", declines.limitExceeded],
    ["block:card", declines.blocked],
    ["velocity:card:60s", { ...declines.velocityExceeded, message: "Too many payments with this card" }],
    ["velocity:email:60s", { ...declines.velocityExceeded, message: "Too many payments with this e-mail address" }],
    ["velocity:address:60s", { ...declines.velocityExceeded, message: "Too many payments from this IP address" }]
  ] as const)("decline with a message that names the kind of the rule, without its numbers: %s", (rule, decline) => {
    assert.deepStrictEqual(Risk.declineOf(rule), decline)
  })
})

describe("an invalid configuration of risk rules is refused", () => {
  const wrong: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, RiskRules.Config]> = [
    ["1.001 USD has more than 2 decimals", { USD: "1.001" }, {}],
    ["1.5 JPY has more than 0 decimals", {}, { velocity: [{ per: "card", withinSeconds: 1, sum: { JPY: "1.5" } }] }],
    ["300.1.1.1 is neither an IP address nor a CIDR range", {}, { block: { addresses: ["300.1.1.1"] } }]
  ]
  for (const [message, maxAmount, config] of wrong) {
    it(message, () => assert.deepStrictEqual(RiskRules.make(maxAmount, config), Result.fail(message)))
  }
  it.each([
    { block: { cards: ["4444333322221111"] } },
    { block: { countries: ["usa"] } },
    { block: { countries: ["ZZ"] } },
    { allow: { countries: ["US GB"] } },
    { allow: { emails: ["a\u200bb@shop.example"] } },
    { allow: { emails: ["nobody"] } },
    { velocity: [{ per: "country", withinSeconds: 60, count: 1 }] },
    { velocity: [{ per: "card", withinSeconds: 0, count: 1 }] }
  ])("%j", (config) => {
    assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(RiskRules.Config)(config)))
  })

  it.each([
    ["UK", "UK must be a country's code of ISO 3166-1: use GB"],
    ["gbr", "gbr must be a country's code of ISO 3166-1: use GB"],
    ["EU", "EU must be a country's code of ISO 3166-1, two letters like GB"]
  ])("with the country %s, and says what to write", (country, message) => {
    const decoded = Schema.decodeUnknownResult(RiskRules.Config)({ block: { countries: [country] } })
    assert.include(Result.isFailure(decoded) ? String(decoded.failure) : "", message)
  })
})
