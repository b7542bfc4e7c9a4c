/** Changes that one operator proposes and another confirms, where the operation or the configuration requires that. */
import * as Money from "@pay/schema/Money"
import { Clock, Context, Effect, Result, Schema } from "effect"
import type { Actor } from "../../kernel/Audit.ts"
import * as Audit from "../../kernel/Audit.ts"
import * as Change from "../../kernel/Change.ts"
import { Ids } from "../../kernel/Ids.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import { Directory } from "../../merchants/Directory.ts"
import type { OperatorOperation, Role } from "../../operators/OperatorOperation.ts"
import { Order } from "../../orders/record/Order.ts"
import * as OperatorAccount from "../../signin/decide/OperatorAccount.ts"
import * as Proposal from "../../signin/decide/Proposal.ts"
import * as Operators from "../../signin/Operators.ts"
import type { PageAnswer } from "../Pages.ts"
import { conflict, type Handlers, json, missing, OperatorRefusal, type Route } from "./OperatorHandler.ts"

type Limits = Readonly<Record<string, Readonly<Record<string, number>> | undefined>>

/**
 * The commands whose changes a second person confirms, with the amounts by currency, in minor units, above which they do. In a currency
 * without an amount they always do. A request without an amount moves everything that is left, so it always needs the second person.
 */
export const SecondPerson = Context.Reference<Limits>("@pay/gateway/SecondPerson", {
  defaultValue: () => ({})
})

type Input = Readonly<Record<string, unknown>>

/** Whether an amount in this currency is above its limit, or has none. */
const isAbove = (limits: Readonly<Record<string, number>>, amount: unknown, currency: string | undefined): boolean => {
  const limitMinor = currency === undefined ? undefined : limits[currency]
  if (currency === undefined || limitMinor === undefined || typeof amount !== "string") return true
  const minor = Money.toMinorOrZero(amount, currency)
  return Result.isFailure(minor) || minor.success > limitMinor
}

/** Returns the amounts above which a change needs a second person; undefined if it needs none. */
const limitsOf = (limits: Limits, { changes, command }: OperatorOperation) =>
  changes?.secondPerson === "always" ? {} : changes?.secondPerson === "configurable" ? limits[command] : undefined

const Input = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const readInput = Schema.decodeUnknownSync(Input)

/** Stores a change that needs a second person, and answers how it is confirmed. `undefined`: the change may be made. */
export const hold = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const limits = yield* SecondPerson
  const directory = yield* Directory

  /** Returns the currency of a request's amount: its own, its order's, or the only one of its endpoint. `undefined`: it is unknown. */
  const currencyOf = Effect.fnUntraced(function* ({ currency, endpoint, order }: Input) {
    if (typeof currency === "string") return currency
    if (typeof order === "string") return (yield* store.load(Order, [order]))?.currency
    const [only, ...others] =
      (typeof endpoint === "string" ? directory.endpoint(endpoint)?.currencies : undefined) ?? []
    return others.length === 0 ? only : undefined
  })

  return Effect.fnUntraced(function* (operation: OperatorOperation, input: Input, actor: Actor) {
    const above = limitsOf(limits, operation)
    if (above === undefined || !isAbove(above, input.amount, yield* currencyOf(input))) return undefined
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
