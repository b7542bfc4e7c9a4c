/** The books of the gateway, recomputed from its entries, and what was found. */
export type { Finding } from "../reconciliation/decide/OrderComparison.ts"
export * from "../reconciliation/Reconciliation.ts"
