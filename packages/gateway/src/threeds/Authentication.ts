/** A card order's 3-D Secure authentication, one row per order: where it stands and what each step must match. */
import * as Entity from "../kernel/Entity.ts"
import type { ThreeDSMode } from "../merchants/EndpointRules.ts"

/**
 * `enrol`: the directory is being asked. `method`: the browser is at the issuer's method URL, or, where
 * there is none, the merchant has still to upload the browser's data. `areq`: the issuer is being
 * asked. `challenge`, `pareq`: the customer is at the issuer. `result`: the issuer's verdict is being fetched. `done`.
 */
export type Stage = "enrol" | "method" | "areq" | "challenge" | "pareq" | "result" | "done"

export const Authentication = Entity.make("authentications", {
  columns: {
    orderId: Entity.text(),
    version: Entity.integer,
    mode: Entity.text<ThreeDSMode>(),
    stage: Entity.text<Stage>(),
    /** Counts payment attempts of one hosted session; part of the reference. */
    attempt: Entity.integer,
    /** `2.2.0` or `1.0.2`, fixed at enrolment; null before. */
    protocol: Entity.textOrNull(),
    /** Unguessable: addresses the gateway's own 3-D Secure pages. */
    pageToken: Entity.text(),
    serverTransId: Entity.textOrNull(),
    /** Null at the stage `method`: there is none, and the browser's data is waited for. */
    methodUrl: Entity.textOrNull(),
    completionIndicator: Entity.textOrNull<"Y" | "N" | "U">(),
    /** JSON of `Browser`. */
    browser: Entity.textOrNull(),
    acsUrl: Entity.textOrNull(),
    acsTransId: Entity.textOrNull(),
    creq: Entity.textOrNull(),
    pareq: Entity.textOrNull(),
    md: Entity.textOrNull(),
    xid: Entity.textOrNull(),
    transStatus: Entity.textOrNull(),
    eci: Entity.textOrNull(),
    /** Sealed by the key vault, bound to the order. */
    sealedAuthenticationValue: Entity.textOrNull(),
    /** When the present stage ends by itself (10 s for the method, 10 min for a challenge). */
    deadlineMs: Entity.integerOrNull,
    /** Results that the customer's browser brought to the gateway's pages and that were refused. */
    refusedResults: Entity.integerOrNull,
    /** The merchant's accepted uploads, of the method step and of the end: `requestId fingerprint`, so that a repeat is a replay. */
    methodUpload: Entity.textOrNull(),
    endUpload: Entity.textOrNull()
  },
  key: ["orderId"],
  unique: { pageToken: ["pageToken"] }
})
export type Authentication = Entity.Row<typeof Authentication>

/** The merchant's accepted uploads as they stand in an authentication's row: who asked, and what for. */
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

/** Whether a request of this number was an upload of this authentication. */
export const hasUpload = ({ endUpload, methodUpload }: Authentication, requestId: string): boolean =>
  [methodUpload, endUpload].some((text) => readUpload(text)?.requestId === requestId)
