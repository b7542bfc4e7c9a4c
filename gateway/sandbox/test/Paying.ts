/** Short forms of the requests of a gateway and a browser for one authentication. */

import { CustomerAddress, FurtherPages, type PageAnswer, type PageRequest } from "@pay/gateway/Gateway"
import {
  type AuthenticationRequest,
  type BrowserInformation,
  type Lookup,
  ThreeDSServer
} from "@pay/gateway/ThreeDSServer"
import * as Markup from "@pay/schema/Markup"
import { Effect, Redacted } from "effect"
import * as ThreeDSTestCards from "../src/ThreeDSTestCards.ts"

export const numberOf = (name: string): string =>
  ThreeDSTestCards.cards.find((row) => row.name === name)?.number ?? "4444555566661111"

export const notificationUrl = "https://shop.example/back?order=1&x=2"

export const browser: BrowserInformation = {
  acceptHeader: "text/html",
  ip: CustomerAddress.of("192.0.2.1"),
  javaEnabled: false,
  javascriptEnabled: false,
  language: "de",
  colorDepth: undefined,
  screenHeight: 1080,
  screenWidth: undefined,
  timeZoneMinutes: -60,
  userAgent: "Test"
}

/** The card by its name in the table; any other name is an ordinary card. */
export const lookup = (name = "ordinary", changes: Partial<Lookup> = {}): Lookup => ({
  reference: "1-threeds-1",
  pan: Redacted.make(numberOf(name)),
  expireMonth: 3,
  expireYear: 2031,
  amountMinor: 1000,
  currency: "USD",
  merchantName: "Tea & <Sons>",
  browser,
  notificationUrl,
  ...changes
})

const ask = (serverTransId: string, notificationUrl: string): AuthenticationRequest => ({
  reference: "1-threeds-1",
  serverTransId,
  completionIndicator: "Y",
  browser,
  notificationUrl
})

export const enrol = (name?: string, changes?: Partial<Lookup>) =>
  Effect.flatMap(ThreeDSServer, (server) => server.enrol(lookup(name, changes)))

export const authenticate = (serverTransId: string, url = notificationUrl) =>
  Effect.flatMap(ThreeDSServer, (server) => server.authenticate(ask(serverTransId, url)))

export const result = (serverTransId: string) => Effect.flatMap(ThreeDSServer, (server) => server.result(serverTransId))

/** Runs an authentication up to the answer of the issuer, and returns both with the transaction. */
export const begin = (name?: string, url?: string) =>
  Effect.gen(function* () {
    const enrolment = yield* enrol(name)
    if (enrolment._tag !== "Version2") return yield* Effect.die(`${name} is ${enrolment._tag}`)
    return { ...enrolment, answer: yield* authenticate(enrolment.serverTransId, url) }
  })

/** Runs an authentication up to its challenge. */
export const challenged = (name?: string, url?: string) =>
  Effect.gen(function* () {
    const { answer, serverTransId } = yield* begin(name, url)
    if (answer._tag !== "Challenge") return yield* Effect.die(`${name} is ${answer._tag}`)
    return { ...answer, serverTransId }
  })

/** Posts the fields to a page of the issuer, and returns its answer. */
export const visit = (
  url: string,
  fields: Readonly<Record<string, string>>,
  changes: Partial<PageRequest> = {}
): Effect.Effect<PageAnswer | undefined> =>
  Effect.flatMap(FurtherPages, ([handler]) => {
    const { pathname, search } = new URL(url)
    const request: PageRequest = {
      method: "POST",
      path: pathname,
      query: search.slice(1),
      headers: {},
      body: new URLSearchParams(fields).toString(),
      remoteAddress: "127.0.0.1",
      publicBaseUrl: "http://127.0.0.1:8080",
      ...changes
    }
    return handler === undefined ? Effect.undefined : handler(request)
  })

/** The form of a page: its target and its hidden fields; undefined without a form. */
export const formOf = (page: PageAnswer | undefined) => {
  const body = page?.body ?? ""
  if (!body.includes('<form method="post"')) return undefined
  const { action = "", hidden } = Markup.form(body)
  return { action, fields: hidden }
}
