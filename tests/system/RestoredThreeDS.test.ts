/** A restored copy waits for a customer to be authenticated; that they were, and paid, only the bank knows. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import type { Scenario } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { type Duration, Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "./Copies.ts"

const { TDS_UPLOAD_CRES_RESULT } = PayApi.operations
const endpointId = TestGateway.endpoints.threedsMerchant
const card = { ...Sample.browser, credit_card_number: "4444000011118888", redirect_url: "https://shop.example/back" }

const approved = "approved sale 10.42 10.42 0.00 0.00"

interface Case {
  readonly when: string
  /** What happens so long after the copy was made, and how long before it is put back. */
  readonly after: Duration.Input
  readonly before: Duration.Input
  /** Left out: the customer does not pass the challenge. */
  readonly authorize?: Scenario
  readonly expected: string
  /** What reconciliation finds. */
  readonly reported?: string
}

const declined = "declined sale 0.00 0.00 0.00 0.00"

/** The customer passes the challenge, and the merchant says so. */
const passed = Effect.fnUntraced(function* ({ client_orderid, orderid }: TestMerchant.Order, plan: Scenario) {
  yield* (yield* SandboxControl).next("authorize", plan)
  const carried = yield* (yield* ThreeDSControl).play(orderid, "pass")
  assert(carried._tag === "CRes")
  const fields = { login: TestGateway.login, "client-order-id": client_orderid, orderid, cRes: carried.cres }
  TestMerchant.assertAccepted(yield* TestGateway.post(TDS_UPLOAD_CRES_RESULT, fields, { endpointId }))
})

const cases: ReadonlyArray<Case> = [
  { when: "was approved", after: "1 minute", before: "1 minute", authorize: {}, expected: approved },
  {
    // It reaches the bank 45 s after the start on the copy. The bank declares 60 s.
    when: "is still on its way",
    after: "9 minutes",
    before: "45 seconds",
    authorize: { delivery: { _tag: "ArrivesLate", afterMs: 90_000 } },
    expected: approved
  },
  {
    when: "reaches the bank later than the bank declares",
    after: "9 minutes",
    before: "45 seconds",
    authorize: { delivery: { _tag: "ArrivesLate", afterMs: 120_000 } },
    expected: declined,
    reported: "sale-0 at the bank"
  },
  { when: "was never made", after: "9 minutes", before: "45 seconds", expected: declined }
]

describe("a payment that was in 3-D Secure in a restored copy", () => {
  it.live.each(cases)(
    "that $when ends with the bank's outcome by its declared time, though the issuer does not know it",
    (given) =>
      Effect.gen(function* () {
        const former = yield* temporaryFolder
        const folder = yield* temporaryFolder
        const order = yield* Effect.gen(function* () {
          const order = yield* TestMerchant.order("SALE", card, { endpointId })
          yield* Copies.backup(former)
          yield* TestMerchant.pass(given.after)
          if (given.authorize !== undefined) yield* passed(order, given.authorize)
          yield* TestMerchant.pass(given.before)
          return order
        }).pipe(TestGateway.running(former))
        yield* Copies.back(former, folder)
        yield* Effect.gen(function* () {
          for (const later of ["50 seconds", "20 minutes"] as const) {
            const { status } = yield* TestMerchant.status(order, { endpointId })
            assert.notStrictEqual(status, "declined")
            yield* TestMerchant.pass(later)
          }
          assert.strictEqual(yield* TestMerchant.orderStatus(order, { endpointId }), given.expected)
          const { books } = yield* SandboxControl
          assert.lengthOf(yield* books.all, given.expected === approved || given.reported !== undefined ? 1 : 0)
          const { findings } = yield* Reconciliation.check
          const { reported = "" } = given
          assert.strictEqual(
            findings.some(({ where }) => where.includes(reported)),
            reported !== ""
          )
        }).pipe(
          TestGateway.running(folder, {
            bank: { ...Copies.withBankOf(former), threedsJournalPath: join(folder, "threeds.journal") }
          })
        )
      })
  )
})
