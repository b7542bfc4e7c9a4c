/** Goes with an order to its end while the shopper's browser has to do its part: 3-D Secure in both modes. */
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
import type { FormAction, NextAction } from "./NextAction.ts"
import * as Steps from "./Steps.ts"

interface AuthenticationInput {
  readonly named: Ask.Named & { readonly orderId: string }
  readonly trail: Evidence.Trail
  /** Where the browser is sent first: a hosted form. */
  readonly first?: NextAction
}

/** Method, challenge and what a gateway may think of more. */
const mostErrands = 6

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
  for (let errands = 1; errands <= mostErrands; errands += 1) {
    const told = yield* AwaitFinal.watch({
      step: `status ${errands}`,
      named,
      trail,
      isPrompt: true,
      until: ({ errand }) => errand !== undefined && !done.has(idOf(errand))
    })
    const { errand, order } = told
    if (errand === undefined || done.has(idOf(errand))) {
      const late = sentAtMs !== undefined && told.askedAtMs - sentAtMs >= Duration.toMillis(settings.challengeTimeout)
      return yield* Ending.concludeWithShopper(order, about, away || told.isAlone || late)
    }
    done.add(idOf(errand))
    const step = `${errand._tag} ${errands}`
    const atMs = yield* send(step, named, errand)
    if (errand._tag === "Redirect") sentAtMs = atMs
    else if (!(yield* bring(step, named, errand, trail)) && !isQuick(errand)) away = true
  }
  return yield* Ending.stillUnknown("STATUS", about)
})

/** The same errand is not run twice; a retry of the card on a hosted page is the page's matter. */
const idOf = (errand: NextAction): string => {
  switch (errand._tag) {
    case "Redirect":
      return `${errand._tag} ${errand.url}`
    case "Method":
    case "BrowserData":
      return `${errand._tag} ${errand.serverTransId}`
    case "Challenge":
      return `${errand._tag} ${errand.creq}`
    case "PaReq":
      return `${errand._tag} ${errand.pareq}`
  }
}

/** Whether the shopper has nothing to do there: only the browser is looked at. */
const isQuick = ({ _tag }: NextAction): boolean => _tag === "Method" || _tag === "BrowserData"

/** When the browser was sent. */
const send = (step: string, { clientOrderId, orderId }: AuthenticationInput["named"], errand: NextAction) =>
  Effect.flatMap(CustomerBrowser.CustomerBrowser, (shopper) =>
    Steps.step(
      `${step} send`,
      { success: Schema.Finite, error: Schema.Never },
      Effect.andThen(shopper.send({ clientOrderId, orderId, errand }), Clock.currentTimeMillis)
    )
  )

const { TDS_UPLOAD_CRES_RESULT, TDS_UPLOAD_METHOD_URL_RESULT, TDS_UPLOAD_PARES_RESULT } = PayApi.operations

/** What the upload says of the errand; nothing where the shopper brought nothing. */
const uploadOf = (errand: FormAction, brought: CustomerBrowser.Brought | undefined) => {
  switch (errand._tag) {
    case "Method": {
      const threeDSCompInd = brought === undefined ? "N" : "Y"
      return {
        operation: TDS_UPLOAD_METHOD_URL_RESULT,
        fields: { threeDSCompInd, threeDSServerTransID: errand.serverTransId }
      }
    }
    case "BrowserData":
      return {
        operation: TDS_UPLOAD_METHOD_URL_RESULT,
        fields: {
          threeDSCompInd: "U",
          threeDSServerTransID: errand.serverTransId,
          ...BrowserData.read(brought ?? {})
        } as const
      }
    case "Challenge":
      return brought?.cres === undefined
        ? undefined
        : { operation: TDS_UPLOAD_CRES_RESULT, fields: { cRes: brought.cres } }
    case "PaReq":
      return brought?.PaRes === undefined
        ? undefined
        : { operation: TDS_UPLOAD_PARES_RESULT, fields: { paRes: brought.PaRes, md: brought.MD ?? errand.md } }
  }
}

/**
 * Waits for the browser and uploads what it brought; whether it brought anything. An upload that is refused (late, forged)
 * changes nothing: what becomes of the order, the gateway says.
 */
const bring = Effect.fnUntraced(function* (
  step: string,
  { clientOrderId, endpointId, orderId }: AuthenticationInput["named"],
  errand: FormAction,
  trail: Evidence.Trail
) {
  const { challengeTimeout, methodTimeout } = yield* FlowSettings
  const signalled = yield* Steps.awaitSignal(`${step} back`, {
    key: CustomerBrowser.returnKey(clientOrderId, errand._tag),
    timeout: isQuick(errand) ? methodTimeout : challengeTimeout
  })
  const upload = uploadOf(errand, Option.getOrUndefined(Option.flatMap(signalled, CustomerBrowser.read)))
  if (upload === undefined) return false
  const { fields, operation } = upload
  const request = { "client-order-id": clientOrderId, orderid: orderId, ...fields }
  yield* Effect.ignore(
    FollowUp.act({ step: `${step} upload`, operation, request, clientOrderId, endpointId, trail, isOpen: true })
  )
  return true
})
