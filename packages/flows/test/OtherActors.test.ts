/** Actions on one order at a gateway without `Idempotency-Key` by other programs, people and logins. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as PayError from "@pay/transport/PayError"
import { Effect } from "effect"
import { temporaryFile } from "../../sqlite/test/TemporaryFolder.ts"
import * as Resolve from "../src/requests/Resolve.ts"
import * as KeylessGateway from "./KeylessGateway.ts"
import { alone, atOnce, inMemory, onFile, refund, two } from "./TurnEngines.ts"

describe("an action on an order by another program", () => {
  const programs = [
    ["two programs in memory", Effect.succeed(inMemory), Effect.succeed(inMemory)],
    ["two programs with a file each", Effect.map(temporaryFile, onFile), Effect.map(temporaryFile, onFile)]
  ] as const
  for (const [who, one, other] of programs)
    it.effect(`is never counted as that of a flow whose request was lost, in ${who}`, () =>
      Effect.gen(function* () {
        const gateway = KeylessGateway.make({ order: "sale", faults: ["request lost"] })
        const { client } = gateway
        const [first, second] = [yield* one, yield* other]
        const both = [first(atOnce(two[0]), { client }), second(atOnce(two[1]), { client })]
        const ends = yield* Effect.all(both, { concurrency: "unbounded" })
        assert.deepStrictEqual([ends.flat().toSorted(), gateway.books], [["NeedsAPerson", "approved"], ["return 5.00"]])
      })
    )

  /** Somebody refunds this much at the gateway's own page, between the status of the order and the request of the flow. */
  const elsewhere = [
    ["5.00", "request lost", "NeedsAPerson", ["return 5.00"]],
    ["5.00", "ok", "NeedsAPerson", ["return 5.00", "return 5.00"]],
    ["3.00", "request lost", "NeedsAPerson", ["return 3.00"]],
    ["3.00", "ok", "NeedsAPerson", ["return 3.00", "return 5.00"]],
    ["10.00", "ok", "NeedsAPerson", ["return 10.00"]]
  ] as const
  for (const [amount, fault, end, books] of elsewhere)
    it.effect(`of ${amount} before a refund of 5.00, ${fault}: ${end}`, () =>
      Effect.gen(function* () {
        const gateway: KeylessGateway.KeylessGateway = KeylessGateway.make({
          order: "sale",
          faults: [fault],
          onStatus: (count) => void (count === 1 && gateway.actElsewhere("return", amount))
        })
        const ends = yield* inMemory(atOnce(refund("a", "5.00")), { client: gateway.client })
        assert.deepStrictEqual<unknown>([ends, gateway.books], [[end], books])
      })
    )

  it.effect("waits for its turn also under another login of the same engine", () =>
    Effect.gen(function* () {
      const gateway = KeylessGateway.make({ order: "sale", faults: ["request lost"] })
      const program = atOnce(two[0], Effect.provide(two[1], gateway.clientOf("other")))
      const ends = yield* inMemory(program, { client: gateway.client, settings: alone })
      assert.deepStrictEqual(
        [ends, gateway.books],
        [
          ["approved", "approved"],
          ["return 5.00", "return 5.00"]
        ]
      )
    })
  )

  it.effect("is not taken for another lost request that is resolved", () =>
    Effect.gen(function* () {
      const gateway = KeylessGateway.make({ order: "sale" })
      gateway.actElsewhere("return", "5.00")
      const lost = (idempotencyKey: string) =>
        Resolve.resolve({
          operation: PayApi.operations.RETURN,
          request: { client_orderid: "o-1", orderid: KeylessGateway.orderId, amount: "5.00", currency: "USD" },
          error: new PayError.OutcomeUnknown({
            ...{ operation: "RETURN", reason: "ConnectionLost", code: "ECONNRESET", retryable: false, idempotencyKey }
          }),
          before: {
            ...{ clientOrderId: "o-1", orderId: KeylessGateway.orderId, status: "approved", transactionType: "sale" },
            ...{ currency: "USD", amount: "10.00", authorizedAmount: "10.00", capturedAmount: "10.00" },
            returnedAmount: "0.00"
          }
        })
      const ends = yield* inMemory(atOnce(lost("a"), lost("b")), { client: gateway.client, settings: alone })
      assert.deepStrictEqual(ends, ["approved", "NeedsAPerson"])
    })
  )
})
