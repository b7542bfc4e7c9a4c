/** The merchant's accepted uploads as they stand in an authentication's row: who asked, and what for. */
import type { Authentication } from "./Authentication.ts"

export type Column = "methodUpload" | "endUpload"

export interface Accepted {
  readonly requestId: string
  readonly fingerprint: string
}

export const write = ({ fingerprint, requestId }: Accepted): string => `${requestId} ${fingerprint}`

export const read = (text: string | null): Accepted | undefined => {
  const [requestId, fingerprint] = text?.split(" ") ?? []
  return requestId === undefined || fingerprint === undefined ? undefined : { requestId, fingerprint }
}

/** Whether a request of this number was an upload of this authentication. */
export const has = ({ endUpload, methodUpload }: Authentication, requestId: string): boolean =>
  [methodUpload, endUpload].some((text) => read(text)?.requestId === requestId)
