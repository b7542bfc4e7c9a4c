/**
 * Takes an order to its final status while the customer's browser does its next actions, such as 3-D Secure in both modes. It is
 * public for your own flows of operations that have no ready flow.
 */
import * as PayApi from "@pay/schema/PayApi"
import { PayClient } from "@pay/transport/PayClient"
import { Clock, Duration, Effect, Option, Schema } from "effect"
import { FlowSettings } from "../engine/FlowSettings.ts"
import * as Steps from "../engine/Steps.ts"
import * as BrowserData from "../order/BrowserData.ts"
import type * as Evidence from "../order/Evidence.ts"
import { type FormAction, isLed, type NextAction } from "../order/NextAction.ts"
import type * as Ask from "../requests/Ask.ts"
import * as AwaitFinal from "../requests/AwaitFinal.ts"
import * as Ending from "../requests/Ending.ts"
import * as FollowUp from "../requests/FollowUp.ts"
import type { MoneyRequest } from "../requests/RequestedAmount.ts"
import * as CustomerBrowser from "./CustomerBrowser.ts"

interface AuthenticationInput {
  readonly named: Ask.Named & { readonly orderId: string }
  readonly trail: Evidence.Trail
  /** The request that created the order. If it is given, an approved order with another amount or currency ends as `NeedsAPerson`. */
  readonly target?: MoneyRequest
  /** The first action of the customer's browser, such as opening a hosted page. */
  readonly first?: NextAction
}

/** Largest number of next actions. 3-D Secure 2 needs two (method and challenge); the rest is reserve. */
const mostActions = 6

/** Sends the browser to each next action. Returns the approved order, or fails with the reason that it was not approved. */
export const completeAuthentication = Effect.fnUntraced(function* ({
  target,
  first,
  named,
  trail
}: AuthenticationInput) {
  const settings = yield* FlowSettings
  const about = { clientOrderId: named.clientOrderId, trail }
  const done = new Set<string>()
  let away = false
  let sentAtMs: number | undefined
  if (first !== undefined) {
    done.add(idOf(first))
    sentAtMs = yield* send(`${first._tag} 0`, named, first)
  }
  for (let turn = 1; turn <= mostActions; turn += 1) {
    const report = yield* AwaitFinal.watch({
      step: `status ${turn}`,
      named,
      trail,
      isPrompt: true,
      until: ({ nextAction }) => nextAction !== undefined && !done.has(idOf(nextAction))
    })
    const { nextAction, order } = report
    if (nextAction === undefined || done.has(idOf(nextAction))) {
      const late =
        sentAtMs !== undefined && report.requestedAtMs - sentAtMs >= Duration.toMillis(settings.challengeTimeout)
      const approved = yield* Ending.concludeWithCustomer(order, about, away || report.isAlone || late)
      return target === undefined ? approved : yield* Ending.asRequested(approved, target, about)
    }
    done.add(idOf(nextAction))
    const step = `${nextAction._tag} ${turn}`
    const atMs = yield* send(step, named, nextAction)
    if (isLed(nextAction)) sentAtMs = atMs
    else if (!(yield* uploadResult(step, named, nextAction, trail)) && !isQuick(nextAction)) away = true
  }
  return yield* Ending.stillUnknown("STATUS", about)
})

/**
 * Returns the key under which an action of the browser is done only once. A retry of the card on a hosted page has no key of its
 * own: that page handles it.
 */
const idOf = (nextAction: NextAction): string => {
  switch (nextAction._tag) {
    case "Redirect":
      return `${nextAction._tag} ${nextAction.url}`
    case "Page":
      return `${nextAction._tag} ${nextAction.html}`
    case "Method":
    case "BrowserData":
      return `${nextAction._tag} ${nextAction.serverTransId}`
    case "Challenge":
      return `${nextAction._tag} ${nextAction.creq}`
    case "PaReq":
      return `${nextAction._tag} ${nextAction.pareq}`
  }
}

/** Whether the action needs no input of the customer, because the issuer only examines the browser. */
const isQuick = ({ _tag }: NextAction): boolean => _tag === "Method" || _tag === "BrowserData"

/** Sends the browser to the next action, and returns the time in milliseconds since 1970. */
const send = (step: string, { clientOrderId, orderId }: AuthenticationInput["named"], nextAction: NextAction) =>
  Effect.flatMap(CustomerBrowser.CustomerBrowser, (customerBrowser) =>
    Steps.step(
      `${step} send`,
      { success: Schema.Finite, error: Schema.Never },
      Effect.andThen(customerBrowser.send({ clientOrderId, orderId, nextAction }), Clock.currentTimeMillis)
    )
  )

const { TDS_UPLOAD_CRES_RESULT, TDS_UPLOAD_METHOD_URL_RESULT, TDS_UPLOAD_PARES_RESULT } = PayApi.operations

/** Returns the upload for the next action, or `undefined` if the browser brought no result of it. */
const uploadOf = (nextAction: FormAction, browserFields: CustomerBrowser.BrowserFields | undefined) => {
  switch (nextAction._tag) {
    case "Method": {
      const threeDSCompInd = browserFields === undefined ? "N" : "Y"
      return {
        operation: TDS_UPLOAD_METHOD_URL_RESULT,
        fields: { threeDSCompInd, threeDSServerTransID: nextAction.serverTransId }
      }
    }
    case "BrowserData":
      return {
        operation: TDS_UPLOAD_METHOD_URL_RESULT,
        fields: {
          threeDSCompInd: "U",
          threeDSServerTransID: nextAction.serverTransId,
          ...BrowserData.read(browserFields ?? {})
        } as const
      }
    case "Challenge":
      return browserFields?.cres === undefined
        ? undefined
        : { operation: TDS_UPLOAD_CRES_RESULT, fields: { cRes: browserFields.cres } }
    case "PaReq":
      return browserFields?.PaRes === undefined
        ? undefined
        : {
            operation: TDS_UPLOAD_PARES_RESULT,
            fields: { paRes: browserFields.PaRes, md: browserFields.MD ?? nextAction.md }
          }
  }
}

/**
 * Waits for the browser, uploads the fields that it posted, and returns whether there was an upload. A refused upload (too late
 * or forged) is ignored, because the status of the order decides the outcome.
 */
const uploadResult = Effect.fnUntraced(function* (
  step: string,
  { clientOrderId, endpointId, orderId }: AuthenticationInput["named"],
  nextAction: FormAction,
  trail: Evidence.Trail
) {
  const { challengeTimeout, methodTimeout } = yield* FlowSettings
  const { merchant } = yield* PayClient
  const signalled = yield* Steps.awaitSignal(`${step} back`, {
    key: CustomerBrowser.returnKey(merchant, clientOrderId, nextAction._tag),
    timeout: isQuick(nextAction) ? methodTimeout : challengeTimeout
  })
  const upload = uploadOf(nextAction, Option.getOrUndefined(Option.flatMap(signalled, CustomerBrowser.read)))
  if (upload === undefined) return false
  const { fields, operation } = upload
  const request = { "client-order-id": clientOrderId, orderid: orderId, ...fields }
  yield* Effect.ignore(
    FollowUp.act({ step: `${step} upload`, operation, request, clientOrderId, endpointId, trail, isOpen: true })
  )
  return true
})
