/** A card is good until 14 hours after its month ended in UTC, wherever it is read. */
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as OAuth from "../harness/OAuth.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Transfers from "../harness/Transfers.ts"

const hourMs = 3_600_000

type Expiry = Readonly<Record<"expire_month" | "expire_year", string>>

/** `accepted`, or the field that is refused. */
const verdictOf = ({ body, status }: TestGateway.Reply): string => {
  if (status === 200) return "accepted"
  const [problem] = Array.isArray(body.errors) ? body.errors : []
  return `${body["error-code"]} ${problem?.field}`
}

const byPage = Effect.fnUntraced(function* ({ expire_month, expire_year }: Expiry) {
  const { url } = yield* HostedPage.open(TestMerchant.freshId())
  const { body } = yield* HostedPage.pay(url, { expiry: `${expire_month} / ${expire_year}` })
  return body.includes("This card has expired.") ? "65 expire_year" : "accepted"
})

const number = "4444555566661111"

layer(TestGateway.layer(), { excludeTestServices: true })("a card", (it) => {
  it.effect("is accepted until 14 hours after its month ended in UTC, and then refused, wherever it is sent", () =>
    Effect.gen(function* () {
      const now = new Date(yield* Clock.currentTimeMillis)
      const endMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
      const card: Expiry = {
        expire_month: String(now.getUTCMonth() + 1),
        expire_year: String(now.getUTCFullYear())
      }
      const stored = yield* Transfers.stored(card)
      const { id } = yield* Recurring.created({ ...card, "start-date": new Date(endMs - 1).toISOString().slice(0, 10) })
      const eachDoor = Effect.suspend(() =>
        Effect.all({
          sale: Effect.map(TestMerchant.create("SALE", card), verdictOf),
          page: byPage(card),
          reference: Effect.map(
            OAuth.sendOnly(PayApi.operations.CARDREF_V4, {
              ...card,
              client_orderid: TestMerchant.freshId(),
              credit_card_number: number
            }),
            verdictOf
          ),
          recurring: Effect.map(Recurring.create(card), verdictOf),
          update: Effect.map(Recurring.update(id, { ...card, credit_card_number: number }), verdictOf),
          process: Effect.map(Recurring.process(id), verdictOf),
          payout: Effect.map(
            TestPayouts.send("PAYOUT_V4", { amount: "1", currency: "USD", credit_card_number: number, ...card }),
            verdictOf
          ),
          transfer: Effect.map(Transfers.transfer(card), verdictOf),
          transferByRef: Effect.map(Transfers.byRef({ "source-card-ref-id": stored }), verdictOf),
          eligibility: Effect.map(Transfers.eligible({ ...card, "sending-card-number": number }), verdictOf)
        })
      )
      const at = (timeMs: number) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) => TestMerchant.pass(timeMs - nowMs))

      yield* at(endMs + 13 * hourMs)
      const before = yield* eachDoor
      assert.deepStrictEqual([...new Set(Object.values(before))], ["accepted"], JSON.stringify(before))
      yield* at(endMs + 14 * hourMs + 1000)
      const after = yield* eachDoor
      const refused = Object.entries(after).filter(([, verdict]) => !verdict.startsWith("65 "))
      assert.deepStrictEqual(refused, [])
    })
  )
})
