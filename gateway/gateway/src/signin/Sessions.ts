/** The sessions of the console: each belongs to an operator's token, holds in every process on the store, and survives a restart. */
import { Effect, Redacted } from "effect"
import * as Audit from "../kernel/Audit.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as Change from "../kernel/Change.ts"
import { Ids } from "../kernel/Ids.ts"
import { SecureRandom } from "../kernel/SecureRandom.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import * as ConsoleSession from "./decide/ConsoleSession.ts"
import { actorOf } from "./decide/OperatorAccount.ts"
import { hashOf } from "./Operators.ts"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const random = yield* SecureRandom
  const clock = yield* AuthClock
  const now = () => Math.floor(clock.nowMs())

  const audited = (action: "session.begin" | "session.end", name: string) =>
    Change.writing(
      Audit.entry({
        auditId: ids.next(),
        atMs: now(),
        actor: actorOf(name),
        action,
        subject: { kind: "operator", id: name }
      })
    )

  return {
    /** Begins a session, audited. Returns its token, which only the browser keeps. */
    begin: Effect.fnUntraced(function* (name: string, tokenHash: string) {
      const token = random.token()
      const change = ConsoleSession.begin(hashOf(token), tokenHash, now())
      yield* store.commit(Change.all(change, audited("session.begin", name))).pipe(Transact.noneLost)
      return Redacted.make(token, { label: "console session" })
    }),
    /** Returns the session of a token, if it has not ended. */
    find: (token: Redacted.Redacted<string>) =>
      Effect.map(
        store.load(ConsoleSession.ConsoleSession, [hashOf(Redacted.value(token))]),
        (session) => session && (ConsoleSession.isOpen(session, now()) ? session : undefined)
      ),
    /** Records that a person used the session. Without the store the session stays as it is. */
    use: (session: ConsoleSession.ConsoleSession) => {
      const change = ConsoleSession.use(session, now())
      return change === undefined
        ? Effect.void
        : Effect.asVoid(Transact.lostGuardOf(store, change)).pipe(
            Effect.catchTag("StoreUnavailable", (error) =>
              Effect.logWarning("The use of a session cannot be recorded", error)
            )
          )
    },
    /** Records that the operator gave a right code. The code has its own audit entry. A lost race leaves the session as it was. */
    complete: (session: ConsoleSession.ConsoleSession) =>
      Effect.asVoid(Transact.lostGuardOf(store, ConsoleSession.complete(session, now()))),
    /** Ends the session, audited. */
    end: (session: ConsoleSession.ConsoleSession, name: string) =>
      store
        .commit(Change.all(Change.writing(ConsoleSession.end(session)), audited("session.end", name)))
        .pipe(Transact.noneLost)
  }
})
