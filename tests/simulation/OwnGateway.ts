/** Our gateway as its merchants and their customers reach it, through the faulty network. */
import { Front, type PageAnswer, type PageHandler } from "@pay/gateway/Gateway"
import * as Wire from "@pay/transport/Wire"
import { Context, Effect } from "effect"
import type { GatewayProcess } from "./GatewayProcess.ts"
import type { ApprovedBooking } from "./Intents.ts"
import type { RemoteGateway } from "./merchant/RemoteGateway.ts"
import type { Connection, Network } from "./Network.ts"
import { cut, lost, proxy, refused } from "./WireFaults.ts"

/** A request of a merchant that reached the gateway, with its answer. */
export interface Exchange {
  /** The merchant's login. */
  readonly login: string
  /** With the endpoint: `/api/v2/sale/1001`. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Without the endpoint: `/api/v2/sale`. */
  readonly path: string
  readonly body: string
  readonly status: number
  readonly answer: string
}

export interface Options {
  readonly baseUrl: string
  /** The login of the merchant. */
  readonly login: string
  readonly gateway: GatewayProcess
  readonly network: Network
  /** The issuer's pages. */
  readonly issuer: ReadonlyArray<PageHandler>
  readonly approvedBookings: (clientOrderId: string) => Effect.Effect<ReadonlyArray<ApprovedBooking>>
  /** Called for each answer that the gateway sends, whether or not it arrives. */
  readonly onExchange: (exchange: Exchange) => void
}

const customerAddress = "127.0.0.1"

export const make = ({
  baseUrl,
  approvedBookings,
  gateway,
  issuer,
  login,
  network,
  onExchange
}: Options): RemoteGateway => {
  /** A merchant's machine has an address of its own. */
  const remoteAddress = `198.51.100.${1 + (login.length % 250)}`
  const connection: Connection<Wire.WireAnswer> = { last: undefined, names: ({ status }) => status === 200 }
  const wire = Wire.Wire.of({
    send: (request) => {
      const target = request.url.slice(baseUrl.length)
      const { body, headers } = request
      const handled = gateway.serve((services) =>
        Context.get(services, Front).handle({
          ...{ method: "POST", publicBaseUrl: baseUrl, target, headers, body },
          remoteAddress
        })
      )
      return Wire.expiring(
        request,
        network.deliver<Wire.WireAnswer, Wire.WireError>({
          ...{ login, proxy, cut, connection },
          arrive: Effect.flatMap(handled, (answer) => {
            if (answer === "refused") return refused
            if (answer === "cut") return lost
            const path = target.slice(0, target.lastIndexOf("/"))
            onExchange({ login: login, target, headers, path, body, status: answer.status, answer: answer.body })
            return Effect.succeed(answer)
          }),
          lost,
          refused
        })
      )
    }
  })

  const pageOf = Effect.fnUntraced(function* (url: string, form: Readonly<Record<string, string>> | undefined) {
    const { pathname, search } = new URL(url, baseUrl)
    const request = {
      ...{ method: form === undefined ? "GET" : "POST", path: pathname, query: search.slice(1) },
      headers: form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" },
      body: form === undefined ? "" : new URLSearchParams(form).toString(),
      ...{ remoteAddress: customerAddress, publicBaseUrl: baseUrl }
    }
    for (const handler of issuer) {
      const answer = yield* handler(request)
      if (answer !== undefined) return answer
    }
    const answer = yield* gateway.page(request)
    return answer === "refused" || answer === "cut" ? undefined : answer
  })

  const noAnswer: Effect.Effect<PageAnswer | undefined> = Effect.succeed(undefined)
  return {
    ...{ baseUrl, isOurs: true, approvedBookings, wire },
    browse: (url, form) => network.deliver({ login, arrive: pageOf(url, form), lost: noAnswer, refused: noAnswer })
  }
}
