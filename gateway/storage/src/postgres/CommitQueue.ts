/** Decisions that wait for a batch, and those that are in one. A batch takes what shares no name with another one under way. */

import type { Decision } from "@pay/gateway/Decision"
import { type GuardFailed, StoreUnavailable } from "@pay/gateway/Store"
import { Exit } from "effect"
import * as Batch from "./Batch.ts"

export type Settle = (exit: Exit.Exit<void, GuardFailed | StoreUnavailable>) => void

export interface Waiting extends Batch.Member {
  readonly settle: Settle
}

/** Largest number of names that one batch locks. All processes share some thousands of locks of the server. */
const maxNames = 400

/** The store could not serve the decision. `outcomeUnknown`: it may be committed. */
export const unavailable = (cause: unknown, outcomeUnknown = false) =>
  Exit.fail(new StoreUnavailable({ outcomeUnknown, cause }))

export class CommitQueue {
  readonly #maxBatch: number
  readonly #waiting: Array<Waiting> = []
  readonly #underWay = new Batch.Taken()

  constructor(maxBatch: number) {
    this.#maxBatch = maxBatch
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Adds a decision; returns a function that removes it again if it still waits. */
  add(decision: Decision, settle: Settle): () => void {
    const member: Waiting = { decision, names: Batch.namesOf(decision), settle }
    this.#waiting.push(member)
    return () => {
      const at = this.#waiting.indexOf(member)
      if (at >= 0) this.#waiting.splice(at, 1)
    }
  }

  /** Returns the next batch. The others keep their order. */
  take(): ReadonlyArray<Waiting> {
    const members: Array<Waiting> = []
    const passedOver = new Batch.Taken()
    let kept = 0
    let names = 0
    for (const [at, member] of this.#waiting.entries()) {
      if (members.length === this.#maxBatch || names >= maxNames) {
        this.#waiting[kept++] = member
        continue
      }
      if (this.#underWay.clashes(member.names) || passedOver.clashes(member.names)) {
        passedOver.add(member.names)
        this.#waiting[kept++] = member
      } else {
        this.#underWay.add(member.names)
        names += member.names.alone.size + member.names.shared.size
        members.push(member)
      }
      if (at === this.#waiting.length - 1) break
    }
    this.#waiting.length = kept
    return members
  }

  /** Settles the members of a batch. */
  end(members: ReadonlyArray<Waiting>, exitOf: (member: Waiting, at: number) => Parameters<Settle>[0]): void {
    members.forEach((member, at) => {
      this.#underWay.remove(member.names)
      member.settle(exitOf(member, at))
    })
  }

  /** Refuses what waits. */
  refuseAll(cause: unknown): void {
    for (const member of this.#waiting.splice(0)) member.settle(unavailable(cause))
  }
}
