/** What a person reads of a store that cannot serve. */
import { assert, describe, it } from "@effect/vitest"
import { StoreUnavailable } from "../src/kernel/Store.ts"

/** Node's error of a name with several addresses, none of which accepts connections: it has a code and no message. */
const refused = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })

const rows: ReadonlyArray<readonly [cause: unknown, text: string]> = [
  ["opened to be read only", "opened to be read only"],
  [new Error("connection terminated"), "connection terminated"],
  [{ _tag: "Refused", cause: refused }, "ECONNREFUSED"],
  [
    { _tag: "Refused", message: "", cause: new Error("password authentication failed") },
    "password authentication failed"
  ],
  [undefined, "no reason was given"]
]

describe("a store that cannot serve", () => {
  it.each(rows)("says why: %s", (cause, text) => {
    const messageOf = (outcomeUnknown: boolean) => new StoreUnavailable({ outcomeUnknown, cause }).message
    assert.strictEqual(messageOf(false), `the store cannot serve: ${text}`)
    assert.strictEqual(messageOf(true), `it is not known whether the store has committed: ${text}`)
  })
})
