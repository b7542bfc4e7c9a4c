/**
 * The client on a connection pool of undici. Install `undici` beside this package.
 *
 * @module
 */
import "./OldNode.ts"

export * from "./main.ts"
export type { PooledClient, PooledOptions } from "./PooledPay.ts"
export * as Pay from "./PooledPay.ts"
