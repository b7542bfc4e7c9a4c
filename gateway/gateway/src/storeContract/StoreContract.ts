/**
 * The contract of every store, as data: each case is a program on an empty store. The tests of each store run all of them.
 *
 * ```ts
 * for (const { name, run } of StoreContract.cases) it.effect(name, () => Effect.provide(run, StoreMemory.layer))
 * ```
 */
import type { Case } from "./Case.ts"
import * as Claims from "./Claims.ts"
import * as Guards from "./Guards.ts"
import * as Reads from "./Reads.ts"
import * as Writes from "./Writes.ts"

export type { Case } from "./Case.ts"

export const cases: ReadonlyArray<Case> = [...Writes.cases, ...Guards.cases, ...Reads.cases, ...Claims.cases]
