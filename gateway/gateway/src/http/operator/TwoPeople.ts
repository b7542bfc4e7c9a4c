/** Changes that one operator proposes and another confirms, where the configuration requires that. */
import { Clock, Context, Effect, Result, Schema } from "effect"
import type { Actor } from "../../kernel/Audit.ts"
import * as Audit from "../../kernel/Audit.ts"
import * as Change from "../../kernel/Change.ts"
import { Ids } from "../../kernel/Ids.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import type { OperatorOperation, Role } from "../../operators/OperatorOperation.ts"
import * as OperatorAccount from "../../signin/decide/OperatorAccount.ts"
import * as Proposal from "../../signin/decide/Proposal.ts"
import * as Operators from "../../signin/Operators.ts"
import type { PageAnswer } from "../Pages.ts"
import { conflict, type Handlers, json, missing, OperatorRefusal, type Route } from "./OperatorHandler.ts"

type Limits = Readonly<Record<string, number | undefined>>

/**
 * The commands whose changes a second person confirms, and the amount in major units above which they do; 0: always. An operation
 * without an amount moves everything that is left, so it always needs the second person.
 */
export const SecondPerson = Context.Reference<Limits>("@pay/gateway/SecondPerson", {
  defaultValue: () => ({})
})

type Input = Readonly<Record<string, unknown>>

/** Whether the change needs a second person. */
const isNeeded = (limits: Limits, { changes, command }: OperatorOperation, input: Input) => {
  const above = changes?.secondPerson === "configurable" ? limits[command] : undefined
  return above !== undefined && !(typeof input.amount === "string" && Number(input.amount) <= above)
}

const Input = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const readInput = Schema.decodeUnknownSync(Input)

/** Stores a change that needs a second person, and answers how it is confirmed. `undefined`: the change may be made. */
export const hold = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const limits = yield* SecondPerson
  return Effect.fnUntraced(function* (operation: OperatorOperation, input: Input, actor: Actor) {
    if (!isNeeded(limits, operation, input)) return undefined
    const proposalId = ids.next()
    const nowMs = yield* Clock.currentTimeMillis
    // A confirmation that is repeated must not return the money twice.
    const once =
      "key" in operation.input.fields && !("key" in input) ? { ...input, key: `proposal:${proposalId}` } : input
    const audit = Audit.entry({
      auditId: ids.next(),
      atMs: nowMs,
      actor,
      action: "proposal.make",
      subject: { kind: "proposal", id: proposalId },
      detail: { command: operation.command, input: JSON.stringify(once) }
    })
    const decision = Proposal.propose({
      proposalId,
      operation: operation.name,
      input: JSON.stringify(once),
      proposedBy: actor,
      proposedAtMs: nowMs
    })
    yield* store.commit(Change.all(decision, Change.writing(audit))).pipe(Transact.noneLost)
    return json(409, {
      error: `a second person must confirm this: pay proposals confirm ${proposalId}`,
      proposal: proposalId
    })
  })
})

export type Names = "listProposals" | "confirmProposal" | "withdrawProposal"

/** `routeOf`: the route of an operation by its name. */
export const handlers = (routeOf: (name: string) => Route | undefined) =>
  Effect.gen(function* () {
    const store = yield* Store
    const ids = yield* Ids
    const commandOf = ({ operation }: Proposal.Proposal) => routeOf(operation)?.command ?? operation

    const rowOf = (proposal: Proposal.Proposal) => ({
      proposal: proposal.proposalId,
      command: commandOf(proposal),
      input: proposal.input,
      state: proposal.state,
      proposedBy: proposal.proposedBy,
      proposed: proposal.proposedAtMs,
      endedBy: proposal.endedBy,
      ended: proposal.endedAtMs
    })

    /** Commits the end of a proposal with its audit entry, and returns the proposal. */
    const ended = (proposalId: string, action: "confirm" | "withdraw", actor: Actor, roles: ReadonlyArray<Role>) =>
      Transact.transact({
        attempt: Effect.gen(function* () {
          const proposal = yield* store.load(Proposal.Proposal, [proposalId])
          if (proposal === undefined) return yield* missing("there is no such proposal")
          const role = routeOf(proposal.operation)?.role
          if (role !== undefined && !roles.includes(role) && proposal.proposedBy !== actor)
            return yield* new OperatorRefusal({ status: 403, message: `this needs the role ${role}` })
          const nowMs = yield* Clock.currentTimeMillis
          const onePerson = OperatorAccount.onePerson(yield* Operators.added(store), proposal.proposedBy, actor)
          const change = Proposal[action](proposal, { actor, nowMs, onePerson })
          if (Result.isFailure(change)) return yield* conflict(change.failure)
          if (change.success.writes.length > 0) {
            const audit = Audit.entry({
              auditId: ids.next(),
              atMs: nowMs,
              actor,
              action: `proposal.${action}`,
              subject: { kind: "proposal", id: proposalId },
              detail: { command: commandOf(proposal), proposedBy: proposal.proposedBy }
            })
            yield* store.commit(Change.all(change.success, Change.writing(audit)))
          }
          return proposal
        }),
        exhausted: () => conflict("others change this proposal: look at it, then try again")
      })

    const carryOut = Effect.fnUntraced(function* (
      proposal: Proposal.Proposal,
      actor: Actor,
      roles: ReadonlyArray<Role>
    ) {
      const route = routeOf(proposal.operation)
      const input = readInput(proposal.input)
      if (proposal.state === "confirmed" && !("key" in input || "reference" in input))
        return yield* conflict("it was confirmed before; if the audit has no change after that, propose it again")
      if (route === undefined) return yield* conflict("this gateway does not have the operation any more")
      const answer: PageAnswer = yield* route.confirmed(input, { actor, roles })
      return {
        proposal: proposal.proposalId,
        command: route.command,
        status: answer.status,
        answer: readInput(answer.body)
      }
    })

    const all: Pick<Handlers, Names> = {
      listProposals: ({ after, limit, state }) =>
        Effect.map(KeysetPage.newest(store, Proposal.Proposal, "state", { equals: [state], after, limit }), (page) => ({
          proposals: page.map(rowOf),
          next: KeysetPage.nextOf(page, limit, ({ proposalId, proposedAtMs }) => ({
            atMs: proposedAtMs,
            key: proposalId
          }))
        })),
      confirmProposal: ({ proposal }, actor, roles) =>
        Effect.flatMap(ended(proposal, "confirm", actor, roles), (row) => carryOut(row, actor, roles)),
      withdrawProposal: ({ proposal }, actor, roles) =>
        Effect.flatMap(ended(proposal, "withdraw", actor, roles), (row) =>
          Effect.map(store.load(Proposal.Proposal, [proposal]), (current) => rowOf(current ?? row))
        )
    }
    return all
  })
