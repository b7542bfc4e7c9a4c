/** The port of the keys, its implementation with a key ring in this process, and the port of a table of short-lived keys. */

export type { KeyRingError } from "../vault/KeyRing.ts"
export * as KeyRing from "../vault/KeyRing.ts"
export * from "../vault/KeyVault.ts"
export * as KeyVaultLocal from "../vault/KeyVaultLocal.ts"
export * as RingSummary from "../vault/RingSummary.ts"
export { ShortLivedKeyTable } from "../vault/ShortLivedKeyTable.ts"
