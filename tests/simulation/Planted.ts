/**
 * Defects that are planted on purpose: the simulation must find each. The table says beforehand by what each is to be seen from
 * outside, so that a defect that nobody could see is not counted as found.
 */
import { AcquirerError, AnswerLost } from "@pay/gateway/Acquirer"
import { Effect } from "effect"
import type { Spoiled } from "./World.ts"

export interface Planted {
  readonly name: string
  /** How it shows at the API, the bank's books or the store. */
  readonly seen: string
  readonly spoiled: () => Spoiled
}

export const planted: ReadonlyArray<Planted> = [
  {
    name: "a lost answer of the bank is taken for a decline",
    seen: "the bank has an approved booking of an order that its merchant was told is declined",
    spoiled: () => ({
      bank: (bank) => ({
        ...bank,
        authorize: (request) =>
          Effect.catchIf(
            bank.authorize(request),
            ({ reason }) => reason._tag === "AnswerLost",
            () => Effect.succeed({ _tag: "Declined" as const, code: 100, message: "lost" })
          )
      })
    })
  },
  {
    name: "an inquiry that cannot be answered is taken for not found",
    seen: "the request is sent again, or the order ends although the bank has booked it",
    spoiled: () => ({
      bank: (bank) => ({
        ...bank,
        capabilities: { ...bank.capabilities, longestProcessingMs: 1 },
        inquire: (reference) =>
          Effect.map(bank.inquire(reference), (answer) =>
            answer._tag === "CannotSay" ? { _tag: "NotFound" as const } : answer
          )
      })
    })
  },
  {
    name: "a refund is sent to the bank under a second reference",
    seen: "the bank refunds twice what was asked for once",
    spoiled: () => ({
      bank: (bank) => ({
        ...bank,
        refund: (request) =>
          Effect.andThen(
            Effect.ignore(bank.refund({ ...request, reference: `${request.reference}-again` })),
            bank.refund(request)
          )
      })
    })
  },
  {
    name: "a payout whose answer is lost is paid again under a second reference",
    seen: "the rail pays twice what was asked for once",
    spoiled: () => ({
      rail: (rail) => ({
        ...rail,
        pay: (request) =>
          Effect.catch(rail.pay(request), () => rail.pay({ ...request, reference: `${request.reference}-again` }))
      })
    })
  },
  {
    name: "writes of the books are dropped",
    seen: "recomputed balances differ from the order's amounts",
    spoiled: () => ({
      store: (store) => ({
        ...store,
        commit: (change) =>
          store.commit({
            ...change,
            writes: change.writes.filter(({ _tag }, index) => _tag !== "Post" || index % 2 === 0)
          })
      })
    })
  },
  {
    name: "a commit is answered before it is made, and lost",
    seen: "an acknowledged order is not there",
    spoiled: () => {
      let count = 0
      return {
        store: (store) => ({
          ...store,
          commit: (change) =>
            Effect.suspend(() => {
              count += 1
              return count % 10 === 0 ? Effect.void : store.commit(change)
            })
        })
      }
    }
  },
  {
    name: "every answer of the bank to a capture is lost, and inquiries too",
    seen: "captures never become certain although the bank says what became of them",
    spoiled: () => {
      const lost = Effect.fail(new AcquirerError({ reason: new AnswerLost({ message: "lost" }) }))
      return {
        bank: (bank) => ({
          ...bank,
          inquire: (reference) => (reference.includes("capture") ? lost : bank.inquire(reference)),
          capture: (request) => Effect.andThen(Effect.ignore(bank.capture(request)), lost)
        })
      }
    }
  }
]
