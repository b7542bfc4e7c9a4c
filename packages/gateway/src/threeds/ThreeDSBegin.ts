/** The first row and the first job of an authentication, for the commit that brings the card. */

import * as Decision from "../kernel/Decision.ts"
import type { Job } from "../kernel/Job.ts"
import type * as Jobs from "../kernel/Jobs.ts"
import type { ThreeDSMode } from "../merchants/EndpointRules.ts"
import type { Gate } from "../orders/AuthenticationGate.ts"
import type { Browser } from "../orders/CustomerBrowser.ts"
import type { Order } from "../orders/Order.ts"
import { Authentication } from "./Authentication.ts"
import * as AuthenticationProgress from "./AuthenticationProgress.ts"
import * as BrowserFacts from "./BrowserFacts.ts"

export interface Begin {
  readonly mode: ThreeDSMode
  /** From `SecureRandom`; a new one for each attempt. */
  readonly pageToken: string
  /** What the request says of the browser; its pages add to it. */
  readonly browser: Browser
  /** 1 for the first. */
  readonly attempt: number
}

export interface AuthenticationStart {
  readonly authentication: Authentication
  readonly item: Job
}

/** `version`: 1, or one more than the row of the attempt before, which this one replaces. */
export const begin = (
  order: Pick<Order, "merchantId" | "orderId">,
  { attempt, browser, mode, pageToken }: Begin,
  nowMs: number,
  claim: Jobs.Claim | undefined,
  version = 1
): AuthenticationStart => ({
  authentication: {
    orderId: order.orderId,
    version,
    mode,
    stage: "enrol",
    attempt,
    protocol: null,
    pageToken,
    serverTransId: null,
    methodUrl: null,
    completionIndicator: null,
    browser: BrowserFacts.encode(browser),
    acsUrl: null,
    acsTransId: null,
    creq: null,
    pareq: null,
    md: null,
    xid: null,
    transStatus: null,
    eci: null,
    sealedAuthenticationValue: null,
    deadlineMs: null,
    refusedResults: null,
    methodUpload: null,
    endUpload: null
  },
  item: AuthenticationProgress.newItem(order, nowMs, nowMs, claim)
})

/** The authentication that opens with its order. */
export const gate =
  (first: Begin): Gate =>
  (order, { claim, nowMs }) => {
    const { authentication, item } = begin(order, first, nowMs, claim)
    return { writes: [Decision.append(Authentication, authentication)], item }
  }

/** Whether the order may have an authentication: spares its look-up. */
export const isPossible = ({ threeds }: Order): boolean => threeds !== 0
