/**
 * Identifiers of one authentication, all derived from its reference. The same request therefore always gets the same identifiers,
 * also after a restart of the simulator. They are not secret.
 */
import "./OldNode.ts"
import * as crypto from "node:crypto"

const digest = (purpose: string, name: string): Buffer =>
  crypto.hash("sha256", `pay/sandbox/${purpose}/${name}`, "buffer")

/** Returns a UUID of version 8, whose bits may come from any source (RFC 9562, section 5.8). */
const uuid = (purpose: string, name: string): string => {
  const bytes = digest(purpose, name).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

const twentyBytes = (purpose: string, name: string): string => digest(purpose, name).subarray(0, 20).toString("base64")

/** The identifier of the transaction at the 3DS server: a UUID. */
export const serverTransId = (reference: string): string => uuid("server", reference)

/** The identifier of the transaction at the issuer's access control server: a UUID. */
export const acsTransId = (serverTransId: string): string => uuid("acs", serverTransId)

/** The transaction identifier of version 1.0.2: 20 bytes in base64. */
export const xid = (serverTransId: string): string => twentyBytes("xid", serverTransId)

/** The authentication value (CAVV): 20 bytes in base64. */
export const authenticationValue = (serverTransId: string): string => twentyBytes("cavv", serverTransId)
