/** The 3-D Secure authentication of a card order, one row per order: its stage, and the values that each step must match. */
import * as Entity from "../../kernel/Entity.ts"
import type { ThreeDSMode } from "../../merchants/EndpointRules.ts"

/**
 * `enrol`: the request to the directory is in flight. `method`: the browser is at the issuer's method URL, or, if there is none,
 * the merchant must still upload the browser's data. `areq`: the authentication request is in flight. `challenge`, `pareq`: the
 * customer is at the issuer. `result`: the issuer's verdict is requested. `done`: the authentication has ended.
 */
export type Stage = "enrol" | "method" | "areq" | "challenge" | "pareq" | "result" | "done"

export const Authentication = Entity.make("authentications", {
  columns: {
    orderId: Entity.text(),
    version: Entity.integer,
    mode: Entity.text<ThreeDSMode>(),
    stage: Entity.text<Stage>(),
    /** Number of the payment attempt of a hosted session; part of the reference. */
    attempt: Entity.integer,
    /** `2.2.0` or `1.0.2`, fixed at enrolment; null before. */
    protocol: Entity.textOrNull(),
    /** Secret random token in the addresses of the gateway's own 3-D Secure pages. */
    pageToken: Entity.text(),
    serverTransId: Entity.textOrNull(),
    /** The issuer's method URL. Null at the stage `method`: there is none, and the gateway waits for the browser's data. */
    methodUrl: Entity.textOrNull(),
    completionIndicator: Entity.textOrNull<"Y" | "N" | "U">(),
    /** JSON of `Browser`. */
    browser: Entity.textOrNull(),
    /** Text of the 3-D Secure server that it gets back with the next call; null if it gave none. */
    session: Entity.textOrNull(),
    acsUrl: Entity.textOrNull(),
    acsTransId: Entity.textOrNull(),
    creq: Entity.textOrNull(),
    pareq: Entity.textOrNull(),
    md: Entity.textOrNull(),
    xid: Entity.textOrNull(),
    transStatus: Entity.textOrNull(),
    eci: Entity.textOrNull(),
    /** The authentication value (CAVV or AAV), encrypted by the key vault and bound to the order. */
    encryptedAuthenticationValue: Entity.textOrNull(),
    /** When the current stage ends by itself (10 s for the method, 10 min for a challenge). */
    deadlineMs: Entity.integerOrNull,
    /** Number of results from the customer's browser that the gateway's pages refused. */
    refusedResults: Entity.integer,
    /**
     * The merchant's accepted uploads, of the method step and of the last step, as `requestId fingerprint`. A repeated upload is
     * a replay.
     */
    methodUpload: Entity.textOrNull(),
    endUpload: Entity.textOrNull()
  },
  key: ["orderId"],
  unique: { pageToken: ["pageToken"] },
  changing: []
})
export type Authentication = Entity.Row<typeof Authentication>

/** Columns that store the merchant's accepted uploads. */
export type UploadColumn = "methodUpload" | "endUpload"

export interface Upload {
  readonly requestId: string
  readonly fingerprint: string
}

export const writeUpload = ({ fingerprint, requestId }: Upload): string => `${requestId} ${fingerprint}`

export const readUpload = (text: string | null): Upload | undefined => {
  const [requestId, fingerprint] = text?.split(" ") ?? []
  return requestId === undefined || fingerprint === undefined ? undefined : { requestId, fingerprint }
}

/** Whether the request with this identifier was an upload of this authentication. */
export const hasUpload = ({ endUpload, methodUpload }: Authentication, requestId: string): boolean =>
  [methodUpload, endUpload].some((text) => readUpload(text)?.requestId === requestId)
