/** A gateway without `Idempotency-Key`, with one order and a bank. It executes every action that it accepts, also a repeated one. */
import { generateKeyPairSync } from "node:crypto"
import type * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as Money from "@pay/schema/Money"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Clock, Effect, Layer, Redacted } from "effect"
import * as Clocks from "../../schema/test/Clocks.ts"

/** What happens to an action on its way. */
export type Fault = "ok" | "request lost" | "answer lost" | "request late"

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
})

const minor = (amount: string) => Math.round(Number(amount) * 100)
const decimal = (amountMinor: number) => Money.fromMinor(amountMinor, "USD")

export interface Options {
  /** An order of 10.00: held, captured, or a payout that was checked. */
  readonly order: "hold" | "sale" | "payout"
  /** The number of the order, and the merchant's name of it. Default: `7` and `o-1`. */
  readonly ids?: readonly [string, string]
  /** What happens to the first actions, in the order in which they are sent. Default: nothing. */
  readonly faults?: ReadonlyArray<Fault>
  readonly profile?: Partial<GatewayProfile.GatewayProfile>
  /** Runs when an action was executed, before its answer. */
  readonly onAction?: (count: number) => Effect.Effect<void>
  /** Runs when a status was read, before its answer. */
  readonly onStatus?: (count: number) => void
}

export const orderId = "7"

/** `sent`: the requests by path, in order. `books`: the effects at the bank. */
export const make = ({
  faults = [],
  ids: [id, name] = [orderId, "o-1"],
  onAction = () => Effect.void,
  onStatus = () => {},
  order,
  profile = { showsFollowUps: true }
}: Options) => {
  const sent: Array<string> = []
  const books: Array<string> = []
  const delayed: Array<() => void> = []
  const state = {
    capturedMinor: order === "sale" ? 1000 : 0,
    returnedMinor: 0,
    type: order === "hold" ? "preauth" : order,
    status: order === "payout" ? "processing" : "approved"
  }
  let actions = 0
  let answers = 0
  let statuses = 0

  /** Executes an action. Returns false if it is refused. */
  const execute = (path: string, requested: string | null): boolean => {
    const { capturedMinor, returnedMinor, type } = state
    const book = (amountMinor: number, changes: Partial<typeof state>) => {
      books.push(`${path} ${decimal(amountMinor)}`)
      Object.assign(state, changes)
      return true
    }
    if (path === "payout-pay") return book(1000, {})
    if (path === "void") return type === "preauth" && book(1000, { type: "cancel" })
    const leftMinor =
      path === "capture" ? (type === "cancel" ? 0 : 1000 - capturedMinor) : capturedMinor - returnedMinor
    const amountMinor = requested === null ? leftMinor : minor(requested)
    if (amountMinor === 0 || amountMinor > leftMinor) return false
    return path === "capture"
      ? book(amountMinor, { capturedMinor: capturedMinor + amountMinor, type: "capture" })
      : book(amountMinor, { returnedMinor: returnedMinor + amountMinor, type: "reversal" })
  }

  const about = { "merchant-order-id": name, "paynet-order-id": id }
  const answerTo = (body: object, status = 200): Wire.WireAnswer => {
    answers += 1
    const serial = `00000000-0000-0000-0000-${String(answers).padStart(12, "0")}`
    return { status, headers: {}, body: JSON.stringify({ ...about, "serial-number": serial, ...body }) }
  }
  const refusal = { type: "validation-error", "error-code": "1", "error-message": "no" }
  const statusNow = () => ({
    ...{
      type: "status-response",
      status: state.status,
      currency: "USD",
      amount: "10.00",
      "authorized-amount": "10.00"
    },
    ...{ "transaction-type": state.type, "captured-amount": decimal(state.capturedMinor) },
    ...{ "returned-amount": decimal(state.returnedMinor), "order-stage": "payout_checked" }
  })

  const act = Effect.fnUntraced(function* (path: string, amount: string | null) {
    actions += 1
    const count = actions
    const fault = faults[count - 1] ?? "ok"
    if (fault === "request lost") return yield* new Wire.WireError({ reason: "Lost", code: "ECONNRESET" })
    if (fault === "request late") {
      delayed.push(() => execute(path, amount))
      return yield* new Wire.WireError({ reason: "Lost", code: Wire.DEADLINE })
    }
    const isAccepted = execute(path, amount)
    yield* onAction(count)
    // A payout is processed until then.
    state.status = "approved"
    if (fault === "answer lost") return yield* new Wire.WireError({ reason: "Lost", code: "ECONNRESET" })
    return isAccepted ? answerTo({ type: "async-response" }) : answerTo(refusal, 400)
  })

  const receive = ({ body, url }: Pick<Wire.WireRequest, "body" | "url">) =>
    Effect.gen(function* () {
      const form = new URLSearchParams(body)
      const path = url.includes("payout-pay") ? "payout-pay" : (url.split("/").at(-2) ?? "")
      sent.push(path)
      // Other fibers run between a request and its answer.
      yield* Clocks.turn
      // A late request arrives within the quiet period, and so before the request that follows it.
      for (const late of delayed.splice(0)) late()
      if (path !== "status") return yield* act(path, form.get("amount"))
      const reply = answerTo(statusNow())
      statuses += 1
      onStatus(statuses)
      return reply
    })
  const wire = Wire.layerInProcess(receive)
  const wall = Clock.Clock.defaultValue()
  const clientOf = (login: string) =>
    Layer.effect(
      PayClient.PayClient,
      Effect.map(
        PayClient.make({
          ...{ baseUrl: "http://localhost", login, controlKey: Redacted.make("key"), endpointId: "1", profile },
          privateKey: Redacted.make(privateKey)
        }),
        (client) => PayClient.around(client, Effect.provideService(Clock.Clock, wall))
      )
    ).pipe(Layer.provide(wire), Layer.orDie)
  return {
    sent,
    books,
    receive,
    client: clientOf("shop"),
    clientOf,
    /** Somebody acts at the gateway's own page. */
    actElsewhere: execute
  }
}

export type KeylessGateway = ReturnType<typeof make>
