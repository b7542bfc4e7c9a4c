/** Goes with an order to its end while the customer's browser has to do its part: 3-D Secure in both modes. */
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Duration, Effect, Option, Schema } from "effect"
import type * as Ask from "./Ask.ts"
import * as AwaitFinal from "./AwaitFinal.ts"
import * as BrowserData from "./BrowserData.ts"
import * as CustomerBrowser from "./CustomerBrowser.ts"
import * as Ending from "./Ending.ts"
import type * as Evidence from "./Evidence.ts"
import { FlowSettings } from "./FlowSettings.ts"
import * as FollowUp from "./FollowUp.ts"
import { type FormAction, isLed, type NextAction } from "./NextAction.ts"
import * as Steps from "./Steps.ts"

interface AuthenticationInput {
  readonly named: Ask.Named & { readonly orderId: string }
  readonly trail: Evidence.Trail
  /** The first action of the customer's browser: it opens a hosted form. */
  readonly first?: NextAction
}

/** Method, challenge and what a gateway may think of more. */
const mostActions = 6

/** The last word about the order, or why it was not approved. */
export const completeAuthentication = Effect.fnUntraced(function* ({ first, named, trail }: AuthenticationInput) {
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
      const late = sentAtMs !== undefined && report.askedAtMs - sentAtMs >= Duration.toMillis(settings.challengeTimeout)
      return yield* Ending.concludeWithCustomer(order, about, away || report.isAlone || late)
    }
    done.add(idOf(nextAction))
    const step = `${nextAction._tag} ${turn}`
    const atMs = yield* send(step, named, nextAction)
    if (isLed(nextAction)) sentAtMs = atMs
    else if (!(yield* bring(step, named, nextAction, trail)) && !isQuick(nextAction)) away = true
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

/** Whether the customer has nothing to do there: only the browser is looked at. */
const isQuick = ({ _tag }: NextAction): boolean => _tag === "Method" || _tag === "BrowserData"

/** When the browser was sent. */
const send = (step: string, { clientOrderId, orderId }: AuthenticationInput["named"], nextAction: NextAction) =>
  Effect.flatMap(CustomerBrowser.CustomerBrowser, (customerBrowser) =>
    Steps.step(
      `${step} send`,
      { success: Schema.Finite, error: Schema.Never },
      Effect.andThen(customerBrowser.send({ clientOrderId, orderId, nextAction }), Clock.currentTimeMillis)
    )
  )

const { TDS_UPLOAD_CRES_RESULT, TDS_UPLOAD_METHOD_URL_RESULT, TDS_UPLOAD_PARES_RESULT } = PayApi.operations

/** What the upload says of the next action; nothing where the customer brought nothing. */
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
 * Waits for the browser and uploads what it brought; whether it brought anything. An upload that is refused (late, forged)
 * changes nothing: what becomes of the order, the gateway says.
 */
const bring = Effect.fnUntraced(function* (
  step: string,
  { clientOrderId, endpointId, orderId }: AuthenticationInput["named"],
  nextAction: FormAction,
  trail: Evidence.Trail
) {
  const { challengeTimeout, methodTimeout } = yield* FlowSettings
  const signalled = yield* Steps.awaitSignal(`${step} back`, {
    key: CustomerBrowser.returnKey(clientOrderId, nextAction._tag),
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
