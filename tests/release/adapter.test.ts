/** The example of an adapter in docs/operators/adapters.md keeps the contracts of its ports. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Acquirer from "@pay/gateway/Acquirer"
import { BankBooks } from "@pay/gateway/BankBooks"
import * as AcquirerContract from "@pay/sandbox/AcquirerContract"
import * as BankBooksContract from "@pay/sandbox/BankBooksContract"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import * as Adapters from "@pay/server/Adapters"
import { Effect, Layer, Redacted } from "effect"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { read } from "../../scripts/Workspace.ts"
import * as FakeBank from "./FakeBank.ts"
import { fences } from "./Fences.ts"

const places = { url: "https://bank.example", secret: "/etc/pay/bank-secret" }
const secret = "of the bank"

const card = (cvv: string): Acquirer.BankCard => ({
  pan: Redacted.make("4444555566661111"),
  cvv: Redacted.make(cvv),
  expireMonth: 12,
  expireYear: 2099,
  cardholder: "JANE DOE"
})
const cards = { approved: card("123"), declined: card("116"), recipient: card("123").pan }

/** The example as the configuration would load it, with this bank in the place of the one it names. */
const example = Effect.fnUntraced(function* (bankUrl: string) {
  const home = yield* temporaryFolder
  const [fence, ...others] = fences(read("docs/operators/adapters.md"))
  assert.isDefined(fence)
  assert.isEmpty(others)
  for (const place of Object.values(places)) assert.include(fence.code, place)
  const code = fence.code.replace(places.url, bankUrl).replace(places.secret, join(home, "secret"))
  writeFileSync(join(home, "secret"), `${secret}\n`)
  writeFileSync(join(home, "my-bank.ts"), code)
  return yield* Adapters.load("./my-bank.ts", home)
})

const open = (instead?: FakeBank.Answer) => Effect.provide(FakeBank.open(secret, instead), SandboxWorld.layer())

const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* open()
    const { acquirer, bankBooks } = yield* example(url)
    assert.isDefined(acquirer)
    assert.isDefined(bankBooks)
    return Layer.merge(
      Layer.succeed(Acquirer.Acquirer, Acquirer.Acquirer.checked(acquirer)),
      Layer.succeed(BankBooks, BankBooks.checked(bankBooks))
    )
  })
)

describe("the adapter in docs/operators/adapters.md", () => {
  for (const { name, run } of AcquirerContract.cases(cards)) it.live(name, () => Effect.provide(run, layer))
  for (const { name, run } of BankBooksContract.cases({ ...cards, skewMs: 0 }))
    it.live(name, () => Effect.provide(run, layer))

  const order = { orderId: "1", clientOrderId: "order-1", merchantId: "shop", currency: "EUR", amountMinor: 10_00 }
  const payment = { reference: "1-authorize-0", kind: "authorize" } as const
  const original = { ...payment, processorTxId: "tx-1", amountMinor: 10_00, requestedAtMs: 1 }
  const followUp = { ...order, reference: "1-capture-1", original } as const
  const inquiry = { ...followUp, kind: "capture", processorTxId: undefined } as const
  const proof = { protocol: "2.2.0", transStatus: "Y", transactionId: "ds-1", eci: "05" }
  const authorization = {
    ...order,
    reference: "1-authorize-0",
    card: cards.approved,
    capture: true,
    authentication: { ...proof, authenticationValue: Redacted.make("cavv-1") },
    recipient: cards.recipient
  } as const
  const question = { ...order, reference: "1-eligibility-0", pan: cards.recipient, expiry: undefined } as const

  type Ask = (acquirer: Acquirer.Adapter) => Effect.Effect<unknown, Acquirer.AcquirerError>
  const asks: Readonly<Record<string, Ask>> = {
    authorize: ({ authorize }) => authorize(authorization),
    eligible: ({ eligible }) => eligible(question),
    capture: (bank) => bank.followUp("capture", followUp),
    void: (bank) => bank.followUp("void", followUp),
    refund: (bank) => bank.followUp("refund", followUp),
    inquire: ({ inquire }) => inquire(inquiry)
  }
  const sent: Readonly<Record<string, object>> = {
    authorize: {
      ...authorization,
      card: { ...cards.approved, pan: "4444555566661111", cvv: "123" },
      authentication: { ...proof, authenticationValue: "cavv-1" },
      recipient: "4444555566661111"
    },
    eligible: { ...order, reference: question.reference, pan: "4444555566661111" },
    capture: followUp,
    void: followUp,
    refund: followUp,
    inquire: { ...followUp, kind: "capture" }
  }
  const unknownAnswers: ReadonlyArray<FakeBank.Answer> = [
    { status: 200, body: "<html>" },
    { status: 200, body: "{}" },
    { status: 200, body: '{"_tag":"Pending"}' },
    { status: 500, body: '{"_tag":"Declined","code":5,"message":"Do not honour"}' }
  ]

  it.live.each(Object.entries(asks))(
    "%s sends every field that the bank needs, and accepts no unknown answer",
    ([method, ask]) =>
      Effect.gen(function* () {
        for (const instead of unknownAnswers) {
          const { requests, url } = yield* open(instead)
          const { acquirer } = yield* example(url)
          assert.isDefined(acquirer)
          const { reason } = yield* Effect.flip(ask(acquirer))
          assert.strictEqual(reason._tag, "AnswerLost", instead.body)
          assert.deepStrictEqual(
            requests.map(({ body, path }) => [path, JSON.parse(body)]),
            [[`/${method}`, sent[method]]]
          )
        }
      })
  )

  it.live("says why the bank was not reached", () =>
    Effect.gen(function* () {
      const { acquirer } = yield* example(`http://127.0.0.1:${yield* freePort}`)
      assert.isDefined(acquirer)
      const { reason } = yield* Effect.flip(acquirer.authorize(authorization))
      assert.match(reason.message, /ECONNREFUSED/)
    })
  )

  it.live("does not read an unknown answer as an empty page of bookings", () =>
    Effect.gen(function* () {
      for (const instead of unknownAnswers) {
        const { url } = yield* open(instead)
        const { bankBooks } = yield* example(url)
        assert.isDefined(bankBooks)
        const error = yield* Effect.flip(bankBooks.bookings({ fromMs: 0, toMs: 1 }, undefined))
        assert.strictEqual(error._tag, "BooksUnavailable", instead.body)
      }
    })
  )
})
