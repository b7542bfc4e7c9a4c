/** The sign-in of the people who operate the gateway. Each has a token of their own, so that the audit trail contains the person. */
import { Clock, Effect, Metric, Redacted } from "effect"
import { Store, type StoreUnavailable } from "../../kernel/Store.ts"
import * as CustomerAddress from "../../network/CustomerAddress.ts"
import * as RateLimit from "../../network/RateLimit.ts"
import * as RemoteAddress from "../../network/RemoteAddress.ts"
import * as OperatorAccount from "../../signin/decide/OperatorAccount.ts"
import * as Operators from "../../signin/Operators.ts"
import * as SecondFactors from "../../signin/SecondFactors.ts"
import * as MinuteWarning from "../MinuteWarning.ts"
import type { OperatorRequest, PageRequest } from "../Pages.ts"

/** The operator of a request on the machine of a gateway that has no tokens. */
export const everyone = { name: Operators.unnamed, roles: OperatorAccount.roles }

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

type Caller = Pick<PageRequest, "headers" | "remoteAddress">

/** Whether a caller addresses the machine itself, by a name or an address that means no other one. */
export const isToLoopback = ({ headers }: Pick<Caller, "headers">): boolean =>
  loopbackHost.test(String(headers.host ?? ""))

/** Whether a request reached the gateway on this machine, by an address of the machine, and through no proxy. */
const isBesideGateway = (caller: Caller): boolean =>
  RemoteAddress.isLoopback(caller.remoteAddress) && !RemoteAddress.isForwarded(caller.headers) && isToLoopback(caller)

/** Whether a program on this machine asks: not a proxy, and not a page in a browser, which may belong to anyone. */
export const isOnMachine = (caller: Caller): boolean =>
  isBesideGateway(caller) && !RemoteAddress.isForeign(caller.headers)

const scheme = "bearer "

/** Returns the hash of the presented token. Hashes are compared, so the time of a comparison tells nothing about a token. */
const presentedOf = ({ headers }: Caller): string | undefined => {
  const authorization = String(headers.authorization ?? "")
  return authorization.toLowerCase().startsWith(scheme)
    ? Operators.hashOf(authorization.slice(scheme.length).trim())
    : undefined
}

/** The header of a request with the code of the second step. */
const codeHeader = "x-pay-operator-code"

const codeOf = ({ headers }: Caller): Redacted.Redacted<string> | undefined => {
  const code = String(headers[codeHeader] ?? "")
  return code === "" ? undefined : Redacted.make(code, { label: "code" })
}

/** Returns the hash by which a token is known; that of no token is empty. */
export const tokenHashOf = (token: Redacted.Redacted<string>): string => {
  const text = Redacted.value(token).trim()
  return text === "" ? "" : Operators.hashOf(text)
}

export type SignIn =
  | { readonly _tag: "Admitted"; readonly operator: OperatorRequest["operator"] }
  | { readonly _tag: "Refused"; readonly status: 401 | 403 | 503; readonly message: string }
  /** Too many wrong tokens came from this address. The token is not compared. */
  | { readonly _tag: "TooMany"; readonly retryAfterMs: number }

const refusedSignIns = Metric.counter("pay_operator_sign_ins_refused_total", {
  description: "Requests to the operators' address without a right token",
  incremental: true
})

/** Wrong tokens of one address, or of one IPv6 network: a person may mistype some. */
const wrongTokens = { perSecond: 0.1, burst: 20 }

/** Compares tokens with those of the configuration and of the store. */
const makeTokens = Effect.gen(function* () {
  const store = yield* Store
  const configured = new Map(
    (yield* Operators.Operators).map(({ name, roles = OperatorAccount.roles, token }) => [
      Operators.hashOf(Redacted.value(token)),
      { name, roles }
    ])
  )
  const failures = RateLimit.make(wrongTokens)
  /** Hashes of tokens that were right here: others' wrong tokens do not lock out who has one. */
  const admittedHashes = new Set<string>()

  /** Returns the operator with this token, if there is one. */
  const holderOf = Effect.fnUntraced(function* (hash: string) {
    const ofFile = configured.get(hash)
    if (ofFile !== undefined) return ofFile
    const account = yield* store.load(OperatorAccount.OperatorAccount, [hash], "token")
    return account && { name: account.name, roles: OperatorAccount.rolesOf(account) }
  })

  const hasTokens = Effect.suspend(() =>
    configured.size > 0
      ? Effect.succeed(true)
      : Effect.map(store.find(OperatorAccount.OperatorAccount, "key", { limit: 1 }), (rows) => rows.length > 0)
  )

  /** `presented`: the hash of the token, or nothing. `isNear`: whether the caller needs none while the gateway has none. */
  const judge = Effect.fnUntraced(function* (caller: Caller, presented: string, isNear: (caller: Caller) => boolean) {
    const nowMs = yield* Clock.currentTimeMillis
    const network = CustomerAddress.network(caller.remoteAddress)
    const retryAfterMs = admittedHashes.has(presented) ? undefined : failures.look(network, nowMs)
    if (retryAfterMs !== undefined) return { _tag: "TooMany", retryAfterMs } satisfies SignIn
    const operator = presented === "" ? undefined : yield* holderOf(presented)
    if (operator !== undefined) {
      admittedHashes.add(presented)
      return { _tag: "Admitted", operator } satisfies SignIn
    }
    admittedHashes.delete(presented)
    if (yield* hasTokens) {
      failures.take(network, nowMs)
      return { _tag: "Refused", status: 401, message: "give the operator's token" } satisfies SignIn
    }
    return isNear(caller)
      ? ({ _tag: "Admitted", operator: everyone } satisfies SignIn)
      : ({
          _tag: "Refused",
          status: 403,
          message: "without operators' tokens, only programs on this machine may ask"
        } satisfies SignIn)
  })

  return { hasTokens, holderOf, judge }
})

/** Makes the sign-in of the operators: limited, logged and counted where it fails. */
export const make = Effect.gen(function* () {
  const { hasTokens, holderOf, judge } = yield* makeTokens
  const factors = yield* SecondFactors.SecondFactors
  const warn = MinuteWarning.make()

  const counted = Effect.fnUntraced(function* (caller: Caller, judging: Effect.Effect<SignIn, StoreUnavailable>) {
    const judged: SignIn = yield* Effect.catchTag(judging, "StoreUnavailable", () =>
      Effect.succeed<SignIn>({ _tag: "Refused", status: 503, message: "try again later" })
    )
    if (judged._tag === "Admitted" || (judged._tag === "Refused" && judged.status === 503)) return judged
    yield* Metric.update(refusedSignIns, 1)
    yield* warn(() => `${caller.remoteAddress} asks as an operator without a right token`)
    return judged
  })

  /** An operator whose sign-in lacks its second step may only look. */
  const limited = (
    operator: { readonly name: string; readonly roles: ReadonlyArray<OperatorAccount.Role> },
    hasCode: boolean
  ) =>
    Effect.map(
      operator === everyone ? Effect.undefined : factors.lackOf(operator.name, hasCode),
      (lack): OperatorRequest["operator"] => (lack === undefined ? operator : { name: operator.name, roles: [], lack })
    )

  /** Judges the code of a request, if it has one. Each code is accepted once, so only what changes something should bring one. */
  const withCode = Effect.fnUntraced(function* (caller: Caller, judged: SignIn) {
    if (judged._tag !== "Admitted") return judged
    const { name } = judged.operator
    const code = codeOf(caller)
    const verdict = code && (yield* factors.judge(OperatorAccount.actorOf(name), name, code))
    if (verdict === "Wrong" || verdict === "Paused")
      return { _tag: "Refused", status: 401, message: SecondFactors.wrongCode[verdict] } satisfies SignIn
    return { _tag: "Admitted", operator: yield* limited(judged.operator, verdict === "Right") } satisfies SignIn
  })

  return {
    /** Judges a request by the token and the code in its headers. */
    ofRequest: (caller: Caller) =>
      counted(
        caller,
        Effect.flatMap(judge(caller, presentedOf(caller) ?? "", isOnMachine), (judged) => withCode(caller, judged))
      ),
    /** Judges a code that the operator of a session typed. `undefined`: the operator has not enrolled. */
    ofCode: (name: string, code: Redacted.Redacted<string>) => factors.judge(OperatorAccount.actorOf(name), name, code),
    /** Judges a token that a person typed into a form of the gateway's own page, or none. */
    ofForm: (caller: Caller, token: Redacted.Redacted<string>) =>
      counted(caller, judge(caller, tokenHashOf(token), isBesideGateway)),
    /** Returns the operator of a session that began with this token. `undefined`: the token does not hold any more. */
    ofSession: (
      caller: Caller,
      tokenHash: string,
      hasCode: boolean
    ): Effect.Effect<OperatorRequest["operator"] | undefined, StoreUnavailable> =>
      tokenHash !== ""
        ? Effect.flatMap(holderOf(tokenHash), (operator) =>
            operator === undefined ? Effect.undefined : limited(operator, hasCode)
          )
        : Effect.map(hasTokens, (has) => (!has && isBesideGateway(caller) ? everyone : undefined)),
    /** Whether a person on the machine needs no token now. */
    isOpen: (caller: Caller) => Effect.map(hasTokens, (has) => !has && isBesideGateway(caller))
  }
})

export type SignIns = Effect.Success<typeof make>
