/** Creates the first row and the first job of an authentication, for the commit that stores the card. */

import * as Decision from "../../kernel/Decision.ts"
import type { Job } from "../../kernel/Job.ts"
import type * as Jobs from "../../kernel/Jobs.ts"
import type { ThreeDSMode } from "../../merchants/EndpointRules.ts"
import type { Gate } from "../../orders/bank/AuthenticationGate.ts"
import type { Browser } from "../../orders/record/CustomerBrowser.ts"
import type { Order } from "../../orders/record/Order.ts"
import { Authentication } from "./Authentication.ts"
import * as AuthenticationProgress from "./AuthenticationProgress.ts"
import * as BrowserFacts from "./BrowserFacts.ts"

export interface Begin {
  readonly mode: ThreeDSMode
  /** Random token from `SecureRandom`; each attempt has a new one. */
  readonly pageToken: string
  /** The browser data of the request. The gateway's pages add to it. */
  readonly browser: Browser
  /** Number of the payment attempt, from 1. */
  readonly attempt: number
}

export interface AuthenticationStart {
  readonly authentication: Authentication
  readonly job: Job
}

/**
 * Returns the row and job of a new authentication. `version`: 1, or one more than that of the row of the previous
 * attempt, which this row replaces.
 */
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
    session: null,
    acsUrl: null,
    acsTransId: null,
    creq: null,
    pareq: null,
    md: null,
    xid: null,
    transStatus: null,
    eci: null,
    encryptedAuthenticationValue: null,
    deadlineMs: null,
    refusedResults: 0,
    methodUpload: null,
    endUpload: null
  },
  job: AuthenticationProgress.newJob(order, nowMs, nowMs, claim)
})

/** Returns the gate that opens the authentication together with its order. */
export const gate =
  (first: Begin): Gate =>
  (order, { claim, nowMs }) => {
    const { authentication, job } = begin(order, first, nowMs, claim)
    return { writes: [Decision.append(Authentication, authentication)], job }
  }
