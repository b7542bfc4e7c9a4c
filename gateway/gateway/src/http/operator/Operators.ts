/** The people who operate the gateway. Each has a token of their own, so that the audit trail contains the person. */
import { createHash, timingSafeEqual } from "node:crypto"
import { Clock, Context, Effect, Metric, Redacted } from "effect"
import * as RateLimit from "../../network/RateLimit.ts"
import * as RemoteAddress from "../../network/RemoteAddress.ts"
import { roles as allRoles, type Role } from "../../operators/OperatorOperation.ts"
import * as MinuteWarning from "../MinuteWarning.ts"
import type { OperatorRequest, PageRequest } from "../Pages.ts"

export interface Operator {
  readonly name: string
  readonly token: Redacted.Redacted<string>
  /** Default: all. */
  readonly roles?: ReadonlyArray<Role> | undefined
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

/** The operator of a request on the machine of a gateway that has no tokens. */
export const everyone = { name: unnamed, roles: allRoles }

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

type Caller = Pick<PageRequest, "headers" | "remoteAddress">

/** Whether a program on this machine asks: not a proxy, and not a page in a browser, which may belong to anyone. */
export const isOnMachine = ({ headers, remoteAddress }: Caller): boolean =>
  RemoteAddress.isLoopback(remoteAddress) &&
  !RemoteAddress.isForeign(headers) &&
  loopbackHost.test(String(headers.host ?? ""))

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

export type SignIn =
  | { readonly _tag: "Admitted"; readonly operator: OperatorRequest["operator"] }
  | { readonly _tag: "Refused"; readonly status: 401 | 403; readonly message: string }
  /** Too many wrong tokens came from this address. The token is not compared. */
  | { readonly _tag: "TooMany"; readonly retryAfterMs: number }

const refusedSignIns = Metric.counter("pay_operator_sign_ins_refused_total", {
  description: "Requests to the operators' address without a right token",
  incremental: true
})

/** Wrong tokens of one address: a person may mistype some. */
const wrongTokens = { perSecond: 0.1, burst: 20 }

/** Makes the sign-in of the operators: limited, logged and counted where it fails. */
export const signIn = Effect.gen(function* () {
  const operators = yield* Operators
  const digests = operators.map(({ name, roles = allRoles, token }) => ({
    operator: { name, roles },
    right: digest(`Bearer ${Redacted.value(token)}`)
  }))
  const failures = RateLimit.make(wrongTokens)
  const warn = MinuteWarning.make()

  const judge = (caller: Caller, nowMs: number): SignIn => {
    if (digests.length === 0)
      return isOnMachine(caller)
        ? { _tag: "Admitted", operator: everyone }
        : { _tag: "Refused", status: 403, message: "without operators' tokens, only programs on this machine may ask" }
    const retryAfterMs = failures.look(caller.remoteAddress, nowMs)
    if (retryAfterMs !== undefined) return { _tag: "TooMany", retryAfterMs }
    const presented = digest(String(caller.headers.authorization ?? ""))
    const [holder] = digests.filter(({ right }) => timingSafeEqual(presented, right))
    if (holder !== undefined) return { _tag: "Admitted", operator: holder.operator }
    failures.take(caller.remoteAddress, nowMs)
    return { _tag: "Refused", status: 401, message: "give the operator's token" }
  }

  return Effect.fnUntraced(function* (caller: Caller) {
    const judged = judge(caller, yield* Clock.currentTimeMillis)
    if (judged._tag === "Admitted") return judged
    yield* Metric.update(refusedSignIns, 1)
    yield* warn(() => `${caller.remoteAddress} asks as an operator without a right token`)
    return judged
  })
})
