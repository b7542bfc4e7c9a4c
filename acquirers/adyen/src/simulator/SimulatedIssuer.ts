/**
 * 3-D Secure at the simulated Adyen: authentications without a payment, and the pages of the issuer. A challenge asks for the password
 * `password`, as Adyen's test environment does.
 */
import { randomUUID } from "node:crypto"
import * as Markup from "@pay/schema/Markup"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Result } from "effect"
import * as Answering from "./Answering.ts"
import type { Answer } from "./IdempotentAnswers.ts"
import type { Payment } from "./RequestRules.ts"
import * as TestCards from "./TestCards.ts"

const messageVersion = "2.2.0"

interface Authentication {
  readonly paymentData: string
  readonly serverTransId: string
  readonly acsTransId: string
  readonly issuer: TestCards.Issuer
  readonly notificationUrl: string
  /** The result of the challenge (RReq). */
  transStatus: "Y" | "N" | undefined
}

const token = (content: object): string => Buffer.from(JSON.stringify(content)).toString("base64")

const action = (subtype: string, { paymentData }: Authentication, content: object) => ({
  action: { type: "threeDS2", subtype, paymentMethodType: "scheme", paymentData, token: token(content) }
})

const authenticated = { eci: "05", authenticationValue: "AAABBJkZUQAAAABjRWWZEEFgFz8=" }

const finished = ({ serverTransId }: Authentication, transStatus: "Y" | "N") =>
  Answering.json(200, {
    resultCode: "AuthenticationFinished",
    threeDS2Result: {
      ...{ transStatus, messageVersion, threeDSServerTransID: serverTransId, dsTransID: serverTransId },
      ...(transStatus === "Y" ? authenticated : { transStatusReason: "01" })
    }
  })

const challenge = (authentication: Authentication, base: string) => {
  const { acsTransId: acsTransID, notificationUrl: threeDSNotificationURL, serverTransId } = authentication
  const content = { acsReferenceNumber: "SIMULATED", acsTransID, acsURL: `${base}/issuer/challenge`, messageVersion }
  const notified = { threeDSNotificationURL, threeDSServerTransID: serverTransId }
  return Answering.json(200, {
    resultCode: "ChallengeShopper",
    ...action("challenge", authentication, { ...content, ...notified })
  })
}

const fingerprint = (authentication: Authentication, base: string) =>
  Answering.json(200, {
    resultCode: "IdentifyShopper",
    ...action("fingerprint", authentication, {
      threeDSMethodNotificationURL: `${base}/issuer/notified`,
      threeDSMethodURL: `${base}/issuer/method`,
      threeDSServerTransID: authentication.serverTransId
    })
  })

const page = (title: string, body: string): Answer => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  body: `<!doctype html><html lang="en"><title>${title}</title><body>${body}</body></html>`
})

/** Returns a page whose form the browser posts by itself. */
const posting = (url: string, fields: Readonly<Record<string, string>>): Answer =>
  page(
    "One moment",
    `<form method="post" action="${Markup.escaped(url)}">${Markup.hidden(fields)}<button>Continue</button></form>
<script>document.forms[0].submit()</script>`
  )

const unknown: Answer = { status: 404, headers: { "content-type": "text/plain" }, body: "No such authentication" }

export const make = () => {
  const issuers = TestCards.issuers()
  const authentications: Array<Authentication> = []
  const byServer = (id: string) => authentications.find(({ serverTransId }) => serverTransId === id)

  const begin = (request: Payment, base: string): Answer => {
    const issuer = issuers.get(request.paymentMethod.number) ?? "notEnrolled"
    const notificationUrl = request.threeDS2RequestData?.notificationURL
    if (request.channel !== "Web" || request.browserInfo === undefined || request.origin === undefined)
      return Answering.invalid("Required or invalid field: browserInfo")
    if (notificationUrl === undefined) return Answering.invalid("Required or invalid field: notificationURL")
    if (issuer === "notEnrolled") return Answering.json(200, { resultCode: "AuthenticationNotRequired" })
    const authentication: Authentication = {
      ...{ paymentData: `Ab02b4c0!${randomUUID()}`, serverTransId: randomUUID(), acsTransId: randomUUID() },
      ...{ issuer, notificationUrl, transStatus: undefined }
    }
    authentications.push(authentication)
    if (issuer === "frictionlessAtOnce") return finished(authentication, "Y")
    return issuer === "challengeAtOnce" ? challenge(authentication, base) : fingerprint(authentication, base)
  }

  const goOn = (paymentData: string, isChallengeOver: boolean, base: string): Answer => {
    const authentication = authentications.find((each) => each.paymentData === paymentData)
    if (authentication === undefined) return Answering.invalid("Required or invalid field: paymentData")
    const { issuer, transStatus } = authentication
    if (!isChallengeOver)
      return issuer === "challenge"
        ? challenge(authentication, base)
        : finished(authentication, issuer === "refused" ? "N" : "Y")
    return transStatus === undefined
      ? Answering.json(200, {
          ...{ resultCode: "Refused", refusalReason: "RReq not received from DS", refusalReasonCode: "39" }
        })
      : finished(authentication, transStatus)
  }

  /** The page of the hidden frame, which reports its end to the address that the browser has posted. */
  const method = (form: URLSearchParams): Answer => {
    const data = ThreeDS.methodData.decode(form.get("threeDSMethodData") ?? "")
    if (Result.isFailure(data)) return unknown
    const { threeDSMethodNotificationURL: url, threeDSServerTransID } = data.success
    if (url === undefined || byServer(threeDSServerTransID) === undefined) return unknown
    const content = Buffer.from(JSON.stringify({ threeDSServerTransID })).toString("base64url")
    return posting(url, { threeDSMethodData: content })
  }

  const challenged = (form: URLSearchParams): Answer => {
    const creq = ThreeDS.creq.decode(form.get("creq") ?? "")
    if (Result.isFailure(creq) || byServer(creq.success.threeDSServerTransID) === undefined) return unknown
    return page(
      "Your bank",
      `<form method="post" action="/issuer/answer">${Markup.hidden({ id: creq.success.threeDSServerTransID })}
<label>Password <input name="password" autofocus></label><button>Confirm</button></form>`
    )
  }

  const answered = (form: URLSearchParams): Answer => {
    const authentication = byServer(form.get("id") ?? "")
    if (authentication === undefined) return unknown
    authentication.transStatus = form.get("password") === "password" ? "Y" : "N"
    const { acsTransId: acsTransID, notificationUrl, serverTransId: threeDSServerTransID, transStatus } = authentication
    const ids = { messageType: "CRes" as const, messageVersion, threeDSServerTransID, acsTransID }
    return posting(notificationUrl, { cres: ThreeDS.cres.encode({ ...ids, challengeCompletionInd: "Y", transStatus }) })
  }

  const pages: Readonly<Record<string, (form: URLSearchParams) => Answer>> = {
    "/issuer/method": method,
    "/issuer/challenge": challenged,
    "/issuer/answer": answered,
    "/issuer/notified": () => page("One moment", "")
  }

  return {
    /** The issuers by card number; a test may add some. */
    issuers,
    begin,
    goOn,
    /** Returns the page of the issuer at a path; undefined if there is none. */
    page: (path: string, body: string): Answer | undefined => pages[path]?.(new URLSearchParams(body))
  }
}
