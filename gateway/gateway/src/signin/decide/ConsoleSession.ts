/**
 * A session of the console, as a row, and the decisions about it. The browser has a random token, of which only the hash is stored.
 * The session ends with the operator's token, after some time without a request, and after a day's work.
 */
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import * as Entity from "../../kernel/Entity.ts"

export const ConsoleSession = Entity.make("consoleSessions", {
  columns: {
    /** SHA-256 of the session's token, in hexadecimal. */
    sessionHash: Entity.text(),
    version: Entity.integer,
    /** Hash of the operator's token; empty at a gateway without tokens. */
    tokenHash: Entity.text(),
    startedAtMs: Entity.integer,
    usedAtMs: Entity.integer,
    /** When the operator gave a right code, the second step of the sign-in. Null: not yet. */
    codeAtMs: Entity.integerOrNull
  },
  key: ["sessionHash"],
  index: { started: ["startedAtMs"] }
})
export type ConsoleSession = Entity.Row<typeof ConsoleSession>

/** A session ends after this time without a request (PCI DSS 8.2.8). */
const idleMs = 15 * 60_000
/** A session ends after this time, however often it is used. */
export const longestMs = 12 * 3_600_000
/** The time of the last request is stored at most this often. */
const storedEveryMs = 60_000

export const begin = (sessionHash: string, tokenHash: string, nowMs: number): Change.Change => ({
  guards: [Decision.absent(ConsoleSession, "key", [sessionHash])],
  writes: [
    Decision.append(ConsoleSession, {
      ...{ sessionHash, version: 1, tokenHash, startedAtMs: nowMs, usedAtMs: nowMs, codeAtMs: null }
    })
  ]
})

/** Whether the session may be used now. A clock that was set back does not make a session longer. */
export const isOpen = ({ startedAtMs, usedAtMs }: ConsoleSession, nowMs: number): boolean =>
  Math.abs(nowMs - usedAtMs) <= idleMs && Math.abs(nowMs - startedAtMs) <= longestMs

/** Records a request of the session. `undefined`: one was recorded a moment ago. */
export const use = (session: ConsoleSession, nowMs: number): Change.Change | undefined =>
  Math.abs(nowMs - session.usedAtMs) < storedEveryMs
    ? undefined
    : Change.update(ConsoleSession, session, { usedAtMs: nowMs })

/** Records the second step of the sign-in. */
export const complete = (session: ConsoleSession, nowMs: number): Change.Change =>
  Change.update(ConsoleSession, session, { codeAtMs: nowMs, usedAtMs: nowMs })

export const end = ({ sessionHash }: Pick<ConsoleSession, "sessionHash">): Decision.Write =>
  Decision.remove(ConsoleSession, [sessionHash])
