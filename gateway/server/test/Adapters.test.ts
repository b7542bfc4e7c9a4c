/** An adapter module is refused if a method or a capability of its ports is missing or of the wrong kind. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Adapters from "../src/Adapters.ts"

type Ports = Required<Omit<Adapters.Adapters, "acquirers">>
type Port = keyof Ports
type CapabilitiesOf<Name extends Port> = Ports[Name] extends { readonly capabilities: infer Capabilities }
  ? Capabilities
  : unknown

const answer = () => Effect.never

const complete: Ports = {
  acquirer: {
    capabilities: { longestProcessingMs: 60_000, deadlineMs: 5_000, transfers: false, eligibility: true },
    authorize: answer,
    eligible: answer,
    followUp: answer,
    inquire: answer,
    reverse: answer
  },
  bankBooks: { bookings: answer, totals: answer },
  notifications: { receive: answer },
  payoutRail: {
    capabilities: {
      longestProcessingMs: 60_000,
      deadlineMs: 5_000,
      destinations: new Set(["card", "phone"] as const),
      lateRefusalAfterMs: [1_000, 2_000]
    },
    check: answer,
    pay: answer,
    inquire: answer
  },
  railBooks: { bookings: answer, totals: answer },
  threeDSServer: {
    capabilities: { deadlineMs: 5_000, paresRoots: ["subject=CN=Root\n-----BEGIN CERTIFICATE-----\n"] },
    enrol: answer,
    authenticate: answer,
    result: answer
  }
}

const milliseconds = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "5000", null]
const flag = ["true", 1, null]
const simulator = [true, false, null, new Map()]

/** The values that each capability refuses. */
const wrongCapabilities: {
  readonly [Name in Port]: { readonly [Capability in keyof CapabilitiesOf<Name>]-?: ReadonlyArray<unknown> }
} = {
  acquirer: {
    longestProcessingMs: milliseconds,
    deadlineMs: milliseconds,
    transfers: flag,
    eligibility: flag,
    unknownOutcomes: [null, [], { sale: [] }, { sale: [{ by: "guess" }] }, { sale: [{ by: "resend" }] }, { pay: [] }],
    holdMs: [null, 5, [1], { VISA: 0 }, { VISA: "5000" }],
    simulated: simulator
  },
  bankBooks: {},
  notifications: {},
  payoutRail: {
    longestProcessingMs: milliseconds,
    deadlineMs: milliseconds,
    destinations: [["card"], "card", new Set(["card", "cash"]), new Map(), null],
    lateRefusalAfterMs: [1_000, new Set([1_000]), [0], [2_000, 1_000], [1_000, 1_000], ["1000"], null],
    simulated: simulator
  },
  railBooks: {},
  threeDSServer: {
    deadlineMs: milliseconds,
    simulated: simulator,
    paresRoots: ["-----BEGIN CERTIFICATE-----", ["/etc/pay/root.pem"], [["-----BEGIN CERTIFICATE-----"]], null],
    hints: simulator
  }
}

const wrongMethods = [1, "authorize", {}, null]
const mayBeLeftOut = [
  "acquirer.reverse",
  "acquirer.capabilities.unknownOutcomes",
  "acquirer.capabilities.holdMs",
  "acquirer.capabilities.simulated",
  "bankBooks.totals",
  "payoutRail.capabilities.simulated",
  "railBooks.totals",
  "threeDSServer.capabilities.simulated",
  "threeDSServer.capabilities.hints"
]

/** Every part of every port, with values that it refuses. The compiler demands them all in `complete` and above. */
const parts: ReadonlyArray<readonly [path: string, wrong: ReadonlyArray<unknown>]> = [
  ...Object.entries(complete).flatMap(([port, service]) =>
    Object.keys(service).flatMap((name) =>
      name === "capabilities" ? [] : [[`${port}.${name}`, wrongMethods] as const]
    )
  ),
  ...Object.entries(wrongCapabilities).flatMap(([port, capabilities]) =>
    Object.entries<ReadonlyArray<unknown>>(capabilities).map(
      ([name, wrong]) => [`${port}.capabilities.${name}`, wrong] as const
    )
  )
]

/** The complete adapters with another value at `path`; undefined leaves the part out. */
const withPart = (path: string, value: unknown): unknown => {
  const replace = (parent: object, [name = "", ...rest]: ReadonlyArray<string>): object => ({
    ...parent,
    [name]: rest.length === 0 ? value : replace(Object(Reflect.get(parent, name)), rest)
  })
  return replace(complete, path.split("."))
}

/** The parts that the problems name. */
const refusedParts = (value: unknown) => Adapters.problems(value).map((problem) => problem.split(" ")[0])

describe("adapters", () => {
  it("are accepted if they are complete", () => assert.isEmpty(Adapters.problems(complete)))

  it.each(["payoutRail.capabilities.lateRefusalAfterMs", "threeDSServer.capabilities.paresRoots"])(
    "may have an empty list %s",
    (path) => assert.isEmpty(Adapters.problems(withPart(path, [])))
  )

  it("need only an acquirer", () => {
    assert.isEmpty(Adapters.problems({ acquirer: complete.acquirer }))
    const { acquirer: _, ...others } = complete
    assert.deepStrictEqual(Adapters.problems(others), ["acquirer is missing"])
  })

  const { acquirer, bankBooks, notifications } = complete
  const bank = { acquirer, bankBooks, notifications }
  it.each([
    ["may be several", { acquirers: { "tea-bank": bank, two: { acquirer } } }, []],
    ["may be several beside the one without a name", { ...complete, acquirers: { "tea-bank": bank } }, []],
    [
      "are refused with a wrong list of names",
      { acquirer, acquirers: 1 },
      ["acquirers must be an object of acquirers by name"]
    ],
    ["are refused without an acquirer", { acquirers: { tea: { bankBooks } } }, ["acquirers.tea.acquirer is missing"]],
    [
      "are refused with a name that is nothing",
      { acquirers: { tea: 1 } },
      ["acquirers.tea must be an object with an acquirer"]
    ],
    [
      "are refused with a name of no port",
      { acquirer, banksBooks: bankBooks },
      ["banksBooks is no port: acquirer, bankBooks, notifications, payoutRail, railBooks, threeDSServer, acquirers"]
    ],
    [
      "are refused with a name of no port of a bank",
      { acquirers: { tea: { acquirer, payoutRail: 1 } } },
      ["acquirers.tea.payoutRail is no port: acquirer, bankBooks, notifications"]
    ],
    [
      "are refused with a wrong part",
      { acquirers: { tea: { acquirer, bankBooks: { bookings: 1 } } } },
      ["acquirers.tea.bankBooks.bookings must be a function"]
    ],
    ...["Tea", "acquirer", "a b", ""].map(
      (name) =>
        [
          `are refused with the name "${name}"`,
          { acquirers: { [name]: bank } },
          [`acquirers.${name}: a name has small letters, digits and -, at most 32, and is not acquirer`]
        ] as const
    )
  ] as const)("%s", (_, value, expected) => assert.deepStrictEqual(Adapters.problems(value), [...expected]))

  it("are checked for every part of their ports", () => {
    const checked = Object.entries(Adapters.shapes).flatMap(([port, { capabilities, methods }]) => [
      ...Object.keys(methods).map((name) => `${port}.${name}`),
      ...Object.keys(capabilities).map((name) => `${port}.capabilities.${name}`)
    ])
    assert.sameMembers(
      checked,
      parts.map(([path]) => path)
    )
  })

  it.each(parts)("are refused if %s is of the wrong kind, or is missing and not optional", (path, wrong) => {
    assert.deepStrictEqual(refusedParts(withPart(path, undefined)), mayBeLeftOut.includes(path) ? [] : [path])
    assert.isNotEmpty(wrong)
    for (const value of wrong) assert.deepStrictEqual(refusedParts(withPart(path, value)), [path], String(value))
  })

  it.each([
    ["acquirer.eligible", undefined, "acquirer.eligible must be a function"],
    ["bankBooks.totals", 1, "bankBooks.totals must be a function, or left out"],
    ["acquirer.capabilities.deadlineMs", 0, "acquirer.capabilities.deadlineMs must be milliseconds above 0"],
    ["acquirer.capabilities.transfers", undefined, "acquirer.capabilities.transfers must be true or false"],
    [
      "acquirer.capabilities.unknownOutcomes",
      { captures: [{ by: "inquiry" }], refund: [{ by: "guess" }] },
      "acquirer.capabilities.unknownOutcomes must be the ways in which an unknown outcome ends, by kind of request, or left out; captures is no kind of request: authorize, sale, verify, transfer, eligibility, capture, void, refund; refund is no list of ways"
    ],
    [
      "payoutRail.capabilities.destinations",
      ["card"],
      "payoutRail.capabilities.destinations must be a Set of card, account, wallet, phone"
    ],
    [
      "acquirer.capabilities.simulated",
      true,
      "acquirer.capabilities.simulated must be left out: only a simulator has it, and no money would move"
    ]
  ])("are refused with a message that says what %s must be", (path, value, problem) =>
    assert.deepStrictEqual(Adapters.problems(withPart(path, value)), [problem])
  )

  it.each(["acquirer", "acquirer.capabilities", "acquirer.authorize", "bankBooks.totals"])(
    "are refused if reading %s throws",
    (path) => {
      const name = path.split(".").at(-1) ?? ""
      const get = () => {
        throw new Error("a getter")
      }
      const withGetter = (value: unknown, [first, ...rest]: ReadonlyArray<string>): object =>
        rest.length === 0
          ? Object.defineProperty({ ...Object(value) }, name, { get })
          : { ...Object(value), [first ?? ""]: withGetter(Reflect.get(Object(value), first ?? ""), rest) }
      const refused = refusedParts(withGetter(complete, path.split(".")))
      assert.isNotEmpty(refused)
      assert.isTrue(refused.every((part) => part?.startsWith(path)))
    }
  )

  it.each(["acquirer", "payoutRail", "threeDSServer"] as const)("are refused if %s is not an object", (port) => {
    const ofPort = parts.flatMap(([path]) =>
      path.startsWith(`${port}.`) && !mayBeLeftOut.includes(path) ? [path] : []
    )
    for (const value of [null, 1, "bank"]) assert.deepStrictEqual(refusedParts(withPart(port, value)), ofPort)
  })
})
