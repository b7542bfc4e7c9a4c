/**
 * The adapter of an operator to the drill's bank, written from docs/operators/adapters.md alone. The gateway loads a copy of this file, with
 * `bank.json` beside it.
 */
import { readFile } from "node:fs/promises"
import type { Make } from "@pay/server/Adapters"

interface Head {
  readonly status: number
  readonly bankTimeMs: number
}

const make: Make = async ({ Acquirer, Booking, Effect, Redacted, Schema }) => {
  const settings = await readFile(new URL("bank.json", import.meta.url), "utf8")
  const { secret, url } = Schema.decodeUnknownSync(
    Schema.fromJsonString(Schema.Struct({ url: Schema.String, secret: Schema.String }))
  )(settings)

  const Booked = Schema.Struct({
    state: Schema.Literal("booked"),
    approval: Schema.NonEmptyString,
    number: Schema.NonEmptyString
  })
  const Refused = Schema.Struct({
    state: Schema.Literal("refused"),
    reason: Schema.Struct({ code: Schema.FiniteFromString, text: Schema.String })
  })
  const Absent = Schema.Struct({ state: Schema.Literal("absent") })
  const Item = Schema.Struct({
    id: Schema.String,
    type: Schema.Literals(["purchase", "reserve", "complete", "cancel", "credit"]),
    shop: Schema.String,
    shopOrder: Schema.String,
    amount: Schema.FiniteFromString,
    currency: Schema.String,
    state: Schema.Literals(["booked", "refused"]),
    atMs: Schema.Int
  })
  const decodeAnswer = Schema.decodeUnknownSync(Schema.Union([Booked, Refused]))
  const decodeInquiry = Schema.decodeUnknownSync(Schema.Union([Booked, Refused, Absent]))
  const decodePage = Schema.decodeUnknownSync(
    Schema.Struct({ items: Schema.Array(Item), next: Schema.NullOr(Schema.Int) })
  )

  const outcomeOf = (answer: typeof Booked.Type | typeof Refused.Type, { bankTimeMs }: Head) =>
    answer.state === "booked"
      ? ({ _tag: "Approved", approvalCode: answer.approval, processorTxId: answer.number, bankTimeMs } as const)
      : ({ _tag: "Declined", code: answer.reason.code, message: answer.reason.text, bankTimeMs } as const)

  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }

  /** The reason of a request that failed: `fetch` hides it in its cause. */
  const reasonOf = (error: unknown): { readonly message: string; readonly code: unknown } => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined
    return { code, message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause) }
  }

  const request = <A>(path: string, init: RequestInit, decode: (json: unknown, head: Head) => A) =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(`${url}${path}`, { ...init, headers, redirect: "error", signal })
        const body = await response.text()
        if (response.status !== 200 && response.status !== 404) throw new Error(`HTTP ${response.status}`)
        const bankTimeMs = Date.parse(response.headers.get("date") ?? "")
        return decode(JSON.parse(body), { status: response.status, bankTimeMs })
      },
      catch: reasonOf
    })

  /** Nothing has left the machine if no connection was made. */
  const errorOf = ({ code, message }: ReturnType<typeof reasonOf>) =>
    new Acquirer.AcquirerError({
      reason: code === "ECONNREFUSED" ? new Acquirer.NotSent({ message }) : new Acquirer.AnswerLost({ message })
    })

  const instruct = (body: object) =>
    request("/v1/operations", { method: "POST", body: JSON.stringify(body) }, (json, head) =>
      outcomeOf(decodeAnswer(json), head)
    ).pipe(Effect.mapError(errorOf))

  interface Common {
    readonly reference: string
    readonly clientOrderId: string
    readonly merchantId: string
    readonly amountMinor: number
    readonly currency: string
  }
  const common = ({ amountMinor, clientOrderId, currency, merchantId, reference }: Common) => ({
    id: reference,
    shop: merchantId,
    shopOrder: clientOrderId,
    amount: String(amountMinor),
    currency
  })

  const kinds = {
    purchase: "sale",
    reserve: "authorize",
    complete: "capture",
    cancel: "void",
    credit: "refund"
  } as const
  const types = { capture: "complete", void: "cancel", refund: "credit" } as const

  return {
    acquirer: {
      capabilities: { deadlineMs: 3_000, longestProcessingMs: 8_000, transfers: false, eligibility: false },
      authorize: (authorization) =>
        instruct({
          ...common(authorization),
          type: authorization.capture ? "purchase" : "reserve",
          card: {
            number: Redacted.value(authorization.card.pan),
            ...(authorization.card.cvv === undefined ? {} : { code: Redacted.value(authorization.card.cvv) })
          }
        }),
      followUp: (kind, followUp) =>
        instruct({ ...common(followUp), type: types[kind], parent: followUp.original.reference }),
      eligible: () => Effect.die("the capability says that the gateway never asks this"),
      inquire: ({ reference }) =>
        request(`/v1/operations/${encodeURIComponent(reference)}`, {}, (json, head) => {
          const answer = decodeInquiry(json)
          if (answer.state !== "absent") return outcomeOf(answer, head)
          return head.status === 404 ? ({ _tag: "NotFound" } as const) : ({ _tag: "CannotSay" } as const)
        }).pipe(Effect.mapError(errorOf))
    },
    bankBooks: {
      bookings: ({ fromMs, toMs }, after = "0") =>
        request(`/v1/operations?from=${fromMs}&to=${toMs}&after=${after}`, {}, (json) => decodePage(json)).pipe(
          Effect.map(({ items, next }) => ({
            bookings: items.map((item) => ({
              reference: item.id,
              clientOrderId: item.shopOrder,
              merchantId: item.shop,
              kind: kinds[item.type],
              amountMinor: item.amount,
              currency: item.currency,
              atMs: item.atMs,
              result: item.state === "booked" ? ("approved" as const) : ("declined" as const)
            })),
            next: next === null ? undefined : String(next)
          })),
          Effect.mapError(({ message }) => new Booking.BooksUnavailable({ message }))
        )
    }
  }
}

export default make
