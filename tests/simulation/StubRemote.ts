/** The stub gateway as its merchant and customers reach it, through the faulty network. */
import type { PageAnswer } from "@pay/gateway/Gateway"
import * as PayApi from "@pay/schema/PayApi"
import * as Wire from "@pay/transport/Wire"
import { Effect } from "effect"
import type { Movement } from "../workflows/stub/StubBank.ts"
import * as StubDialect from "../workflows/stub/StubDialect.ts"
import * as StubGateway from "../workflows/stub/StubGateway.ts"
import type { ApprovedBooking, Kind } from "./Intents.ts"
import { shopUrl } from "./merchant/Customer.ts"
import type { RemoteGateway } from "./merchant/RemoteGateway.ts"
import type { Connection, Fault, Network } from "./Network.ts"
import type { StubProcess } from "./StubProcess.ts"
import type { Trace } from "./Trace.ts"
import * as WireFaults from "./WireFaults.ts"

export interface Options {
  readonly stub: StubProcess
  readonly network: Network
  readonly trace: Trace
  /** The login of its merchant. */
  readonly login: string
}

/** The kind of booking of each movement. Movements without money are absent. */
const kinds: Readonly<Record<string, Kind>> = {
  authorize: "authorize",
  capture: "capture",
  void: "void",
  refund: "refund",
  pay: "pay"
}

const booked = ({ amountMinor, currency, isFromBalance, kind, type }: Movement): ReadonlyArray<ApprovedBooking> => {
  const named = kinds[kind]
  if (named === undefined) return []
  const isSent = type === "transfer" && named !== "refund"
  return [{ kind: isSent ? (isFromBalance ? "pay" : "transfer") : named, amountMinor, currency }]
}

/**
 * `Resolve` requires that the gateway recognizes repeats: here a repeat is another payment. The stub has no card information and no
 * operation outside the specification.
 */
const unsupported: ReadonlySet<string> = new Set([
  ...["Resolve", "CARDINFO"],
  ...PayApi.all.filter(({ origin }) => origin === "family").map(({ name }) => name)
])

/** Whether an answer names its subject. The answer about a stored card names neither card nor order. */
const names = ({ body, status }: Wire.WireAnswer): boolean =>
  status === 200 && /(?:merchant-order-id|recurring-payment-id)["=]/.test(body) && !body.includes("validation-error")

const html = (body: string): PageAnswer => ({ status: 200, headers: { "content-type": "text/html" }, body })

const asking = html('<title>Pay</title><form method="post" action=""><input name="number"></form>')
const done = html(`<title>Done</title><form method="post" action="${shopUrl}"></form>`)

export const make = ({ login, network, stub, trace }: Options): RemoteGateway => {
  const { gateway, profile, settings } = stub
  /**
   * Whether a request that the network duplicates may move money twice, which no client can prevent: the gateway executes repeats,
   * or hides for a while what it has accepted.
   */
  const executesDuplicates = settings.repeats === "doubled" || (settings.hiddenMs ?? 0) > 0
  const exempt: ReadonlySet<Fault> = new Set(executesDuplicates ? (["requestTwice"] as const) : [])
  const connection: Connection<Wire.WireAnswer> = { last: undefined, names }

  const answer = (request: Wire.WireRequest): Wire.WireAnswer => {
    const answered = StubDialect.receive(gateway, settings.dialect ?? "json", request)
    trace.note(`the stub answers ${new URL(request.url).pathname} with ${answered.status}`)
    return answered
  }
  const wire = Wire.Wire.of({
    send: (request) => {
      const arrive = Effect.suspend((): Effect.Effect<Wire.WireAnswer, Wire.WireError> => {
        if (stub.availability() === "down") return WireFaults.refused
        if (stub.availability() === "silent") return WireFaults.lost
        return Effect.succeed(answer(request))
      })
      const { cut, lost, proxy, refused } = WireFaults
      return Wire.expiring(request, network.deliver({ login, arrive, lost, refused, proxy, cut, connection, exempt }))
    }
  })

  const pageOf = (url: string, form: Readonly<Record<string, string>> | undefined): PageAnswer | undefined => {
    if (stub.availability() !== "open") return undefined
    if (form === undefined && gateway.isAsking(url)) return asking
    if (form?.action === "cancel") gateway.leave(url)
    else if (form !== undefined) gateway.visit(url)
    return done
  }
  const noAnswer: Effect.Effect<PageAnswer | undefined> = Effect.succeed(undefined)
  return {
    ...{ baseUrl: StubGateway.baseUrl, isOurs: false, profile, wire },
    supports: (flow) => !unsupported.has(flow),
    approvedBookings: (clientOrderId) => Effect.sync(() => gateway.movements(clientOrderId).flatMap(booked)),
    browse: (url, form) =>
      network.deliver({ login, arrive: Effect.sync(() => pageOf(url, form)), lost: noAnswer, refused: noAnswer })
  }
}
