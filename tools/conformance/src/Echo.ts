/** Requires that an answer to `status` reports the order that was made: what it repeats of the request must be the same. */
import { Effect } from "effect"
import type { Fields } from "./Draft.ts"
import * as Expect from "./Expect.ts"
import type { Violation } from "./Violation.ts"

type Body = Readonly<Record<string, unknown>>

/** What a status may repeat of the request that made the order. */
interface Made {
  readonly clientOrderId: string
  readonly orderId: string
  readonly fields: Fields
  /** Whether no capture, void or return was sent, so that the amount is still that of the request. */
  readonly isUntouched: boolean
}

interface Repeated {
  readonly name: string
  readonly expected: string | undefined
  readonly isSame?: (reported: string, expected: string) => boolean
}

const isEqualAmount = (reported: string, expected: string): boolean => Number(reported) === Number(expected)

const repeated = ({ clientOrderId, fields, isUntouched, orderId }: Made): ReadonlyArray<Repeated> => {
  const number = fields.credit_card_number
  return [
    { name: "currency", expected: fields.currency },
    { name: "amount", expected: isUntouched ? fields.amount : undefined, isSame: isEqualAmount },
    { name: "paynet-order-id", expected: orderId },
    { name: "merchant-order-id", expected: clientOrderId },
    { name: "last-four-digits", expected: number?.slice(-4) },
    { name: "bin", expected: number?.slice(0, 8), isSame: (bin, start) => start.startsWith(bin) }
  ]
}

const isIdentical = (reported: string, expected: string): boolean => reported === expected

/** Requires it. A fact that the answer leaves out is not required. */
export const check = Effect.fnUntraced(function* (body: Body, made: Made): Effect.fn.Return<void, Violation> {
  for (const { expected, isSame = isIdentical, name } of repeated(made)) {
    const reported = Expect.textOf(body, name)
    if (expected === undefined || reported === undefined || isSame(reported, expected)) continue
    yield* Expect.equal(reported, expected, `${name} of status`)
  }
})
