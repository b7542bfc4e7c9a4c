/** A change that an operator has requested and that a second person must confirm before it is made. */
import { Result } from "effect"
import type { Actor } from "../../kernel/Audit.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import * as Entity from "../../kernel/Entity.ts"

export const Proposal = Entity.make("proposals", {
  columns: {
    proposalId: Entity.text(),
    version: Entity.integer,
    /** Name of the operation in the contract of the operator interface. */
    operation: Entity.text(),
    /** The parameters of the request as a JSON object. Operations with card data need no second person. */
    input: Entity.text(),
    proposedBy: Entity.text<Actor>(),
    proposedAtMs: Entity.integer,
    state: Entity.text<"open" | "confirmed" | "withdrawn">(),
    /** The actor who confirmed or withdrew it. */
    endedBy: Entity.textOrNull<Actor>(),
    endedAtMs: Entity.integerOrNull
  },
  key: ["proposalId"],
  index: { state: ["state", "proposedAtMs", "proposalId"] }
})
export type Proposal = Entity.Row<typeof Proposal>

/** A proposal lapses, because what was right a week ago may be wrong today. */
const longestMs = 7 * 86_400_000

export const propose = (
  row: Pick<Proposal, "proposalId" | "operation" | "input" | "proposedBy" | "proposedAtMs">
): Decision.Decision => ({
  guards: [Decision.absent(Proposal, "key", [row.proposalId])],
  writes: [Decision.append(Proposal, { ...row, version: 1, state: "open", endedBy: null, endedAtMs: null })]
})

interface Ending {
  readonly actor: Actor
  readonly nowMs: number
  /** Why proposer and actor count as one person; undefined if they are two. */
  readonly onePerson: string | undefined
}

const end = (proposal: Proposal, state: "confirmed" | "withdrawn", { actor, nowMs }: Ending): Change.Change =>
  Change.update(Proposal, proposal, { state, endedBy: actor, endedAtMs: nowMs })

/**
 * Confirms the proposal. Who confirmed it may confirm it again: the change is then made again, in case a crash prevented it, if its
 * parameters name it, so that a repeat is made once.
 */
export const confirm = (proposal: Proposal, ending: Ending): Result.Result<Change.Change, string> => {
  if (proposal.state === "confirmed" && proposal.endedBy === ending.actor) return Result.succeed(Change.none)
  if (proposal.state !== "open") return Result.fail(`it was ${proposal.state} before`)
  if (ending.onePerson !== undefined) return Result.fail(ending.onePerson)
  return ending.nowMs - proposal.proposedAtMs > longestMs
    ? Result.fail("it has lapsed after a week: request the change again")
    : Result.succeed(end(proposal, "confirmed", ending))
}

export const withdraw = (proposal: Proposal, ending: Ending): Result.Result<Change.Change, string> =>
  proposal.state === "open"
    ? Result.succeed(end(proposal, "withdrawn", ending))
    : Result.fail(`it was ${proposal.state} before`)
