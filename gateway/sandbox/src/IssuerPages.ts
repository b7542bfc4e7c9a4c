/**
 * The simulated issuer's access control server as pages under `/acs/`, for this machine only: the method page, the challenge of
 * version 2 and the password page of version 1.0.2. The module answers requests, and does not listen on a port.
 */
import { addressOf, type PageAnswer, type PageHandler, type PageRequest, RemoteAddress } from "@pay/gateway/Gateway"
import * as Money from "@pay/schema/Money"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Result } from "effect"
import { type Issuer, mostTries } from "./Issuer.ts"
import * as IssuerHtml from "./IssuerHtml.ts"
import * as PaReqXml from "./PaReqXml.ts"
import * as ThreeDSIds from "./ThreeDSIds.ts"
import type { Transaction } from "./ThreeDSRecord.ts"
import * as ThreeDSTestCards from "./ThreeDSTestCards.ts"

/** Delay of a slow method page, in milliseconds. It exceeds the 10 seconds for which a browser waits. */
const slowMethodMs = 15_000

/** Returns an absolute http(s) address without user information, or undefined. The pages post to no other address. */
const target = (text: string | undefined): string | undefined => {
  const url = text === undefined ? null : URL.parse(text)
  const fits = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  return fits ? url.href : undefined
}

const unknown = IssuerHtml.message(400, "Unknown payment", "The sandbox issuer knows no such payment.")
const ended = IssuerHtml.message(200, "Done", "There is nothing to do here.")
const customerLeft = IssuerHtml.message(
  200,
  "The customer has left",
  "This card's customer closes the window: nothing comes back."
)

/** A valid request of the browser, and the address to which the browser posts the answer of the issuer. */
interface BrowserRequest {
  readonly transaction: Transaction
  readonly url: string
  /** The fields of the request. */
  readonly fields: IssuerHtml.Fields
  /** The part of `fields` that the answer contains unchanged. */
  readonly echoed: IssuerHtml.Fields
}

type Form = URLSearchParams

const only = (form: Form, names: ReadonlyArray<string>): IssuerHtml.Fields =>
  Object.fromEntries(names.flatMap((name) => (form.has(name) ? [[name, form.get(name) ?? ""]] : [])))

/** Reads a challenge request (EMV 3-D Secure): `creq`, and `threeDSSessionData`, which comes back with the answer. */
const version2 = ({ records }: Issuer, form: Form): BrowserRequest | undefined => {
  const creq = Result.getOrUndefined(ThreeDS.creq.decode(form.get("creq") ?? ""))
  const transaction = records.get(creq?.threeDSServerTransID ?? "")
  const url = target(transaction?.request?.notificationUrl)
  if (transaction === undefined || url === undefined) return undefined
  if (creq?.acsTransID !== ThreeDSIds.acsTransId(transaction.serverTransId)) return undefined
  const echoed = only(form, ["threeDSSessionData"])
  return { transaction, url, fields: { ...only(form, ["creq"]), ...echoed }, echoed }
}

/** Reads a request of 3-D Secure 1.0.2: `PaReq`, `TermUrl`, and `MD`, which comes back with the answer. */
const version1 = ({ records }: Issuer, form: Form): BrowserRequest | undefined => {
  const pareq = form.get("PaReq") ?? ""
  const xml = Result.getOrElse(ThreeDS.xml.decode(pareq), () => "")
  const transaction = records.get(/<Message id="([^"]+)">/.exec(xml)?.[1] ?? "")
  const url = target(form.get("TermUrl") ?? "")
  if (transaction === undefined || url === undefined || PaReqXml.encode(transaction) !== pareq) return undefined
  return { transaction, url, fields: only(form, ["PaReq", "MD", "TermUrl"]), echoed: only(form, ["MD"]) }
}

/** Makes the handler of the issuer's pages. It returns undefined for other paths and for requests from other machines. */
export const make = (issuer: Issuer): PageHandler => {
  const method = (form: Form): Effect.Effect<PageAnswer> => {
    const data = Result.getOrUndefined(ThreeDS.methodData.decode(form.get("threeDSMethodData") ?? ""))
    const transaction = issuer.records.get(data?.threeDSServerTransID ?? "")
    if (data === undefined || transaction === undefined) return Effect.succeed(unknown)
    issuer.seeMethod(transaction)
    const url = target(data.threeDSMethodNotificationURL)
    if (url === undefined || transaction.scenario.method === "silent") return Effect.succeed(ended)
    const threeDSMethodData = ThreeDS.methodData.encode({ threeDSServerTransID: transaction.serverTransId })
    const answer = Effect.succeed(IssuerHtml.autoPost(url, { threeDSMethodData }))
    return transaction.scenario.method === "slow" ? Effect.delay(answer, slowMethodMs) : answer
  }

  const ask = ({ fields, transaction }: BrowserRequest): PageAnswer => {
    const { amountMinor, currency, lastFour, merchantName, wrongPasswords } = transaction
    return IssuerHtml.challenge({
      merchantName,
      amount: `${Money.fromMinor(amountMinor, currency)} ${currency}`,
      lastFour,
      password: ThreeDSTestCards.password,
      triesLeft: wrongPasswords === 0 ? undefined : mostTries - wrongPasswords,
      fields
    })
  }

  const listen = (form: Form, transaction: Transaction): Effect.Effect<Transaction> => {
    const chosen = (choice: "pass" | "abandon") =>
      Effect.map(issuer.choose(transaction, choice), () => issuer.current(transaction))
    switch (form.get("action")) {
      case "cancel":
        return chosen("abandon")
      case "confirm":
        return form.get("password") === ThreeDSTestCards.password ? chosen("pass") : issuer.refuse(transaction)
      default:
        return Effect.succeed(transaction)
    }
  }

  const challenge = Effect.fnUntraced(function* (form: Form, request: BrowserRequest | undefined) {
    if (request === undefined) return unknown
    const settled = yield* issuer.settle(request.transaction)
    if (settled.decided === undefined && settled.scenario.customer === "leaves") return customerLeft
    const transaction = settled.decided === undefined ? yield* listen(form, settled) : settled
    const message = yield* issuer.message(transaction)
    if (message === undefined) return ask({ ...request, transaction })
    const answer: IssuerHtml.Fields = message._tag === "CRes" ? { cres: message.cres } : { PaRes: message.pares }
    return IssuerHtml.autoPost(request.url, { ...answer, ...request.echoed })
  })

  const pages: Readonly<Record<string, (form: Form) => Effect.Effect<PageAnswer>>> = {
    "/acs/method": method,
    "/acs/challenge": (form) => challenge(form, version2(issuer, form)),
    "/acs/pareq": (form) => challenge(form, version1(issuer, form))
  }

  return ({ body, headers, method, path: received, remoteAddress }: PageRequest) => {
    const { path } = addressOf(received)
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    const isHere = RemoteAddress.isLoopback(remoteAddress) && !RemoteAddress.isForwarded(headers)
    if (page === undefined || !isHere) return Effect.undefined
    return method === "POST" ? Effect.suspend(() => page(new URLSearchParams(body))) : Effect.succeed(methodNotAllowed)
  }
}

const methodNotAllowed: PageAnswer = {
  ...IssuerHtml.message(405, "Method not allowed", "The sandbox issuer's pages are reached from a payment."),
  headers: { ...ended.headers, allow: "POST" }
}
