/** The people who operate the gateway. Each has a token of their own, so that the audit trail contains the person. */
import { createHash, timingSafeEqual } from "node:crypto"
import { Context, Redacted } from "effect"
import * as RemoteAddress from "../../network/RemoteAddress.ts"
import type { PageRequest } from "../Pages.ts"

export interface Operator {
  readonly name: string
  readonly token: Redacted.Redacted<string>
}

/**
 * The operators who may send requests, with `Authorization: Bearer …`. An empty list admits requests from the machine itself
 * without a token, but none through a proxy or from a browser page.
 */
export const Operators = Context.Reference<ReadonlyArray<Operator>>("@pay/gateway/Operators", {
  defaultValue: () => []
})

/** Name of the operator for a request without a token, and for a single token without a name. */
export const unnamed = "operator"

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** Whether the public address is a loopback address, in which case no proxy is in front of the gateway. */
const isLocal = (publicBaseUrl: string | undefined): boolean =>
  publicBaseUrl === undefined || loopbackHost.test(URL.parse(publicBaseUrl)?.host ?? "")

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

export type Admission =
  | { readonly _tag: "Admitted"; readonly operator: string }
  /** A peer on another host, and one that may be behind a proxy, cannot detect the interface. */
  | { readonly _tag: "Hidden" }
  | { readonly _tag: "TokenNeeded" }

export const admission = (
  { headers, remoteAddress }: PageRequest,
  operators: ReadonlyArray<Operator>,
  publicBaseUrl: string | undefined
): Admission => {
  if (!RemoteAddress.isLoopback(remoteAddress)) return { _tag: "Hidden" }
  if (operators.length > 0) {
    const presented = digest(String(headers.authorization ?? ""))
    const [holder] = operators.filter(({ token }) =>
      timingSafeEqual(presented, digest(`Bearer ${Redacted.value(token)}`))
    )
    return holder === undefined ? { _tag: "TokenNeeded" } : { _tag: "Admitted", operator: holder.name }
  }
  const direct =
    isLocal(publicBaseUrl) && !RemoteAddress.isForeign(headers) && loopbackHost.test(String(headers.host ?? ""))
  return direct ? { _tag: "Admitted", operator: unnamed } : { _tag: "Hidden" }
}
