/**
 * The people who operate the gateway, as rows, and the decisions that change them. Each has a token of their own, of which only the hash
 * is stored. Who made a token knows it: until its holder makes another, both count as one person where two are needed.
 */
import { Data, Result } from "effect"
import type { Actor } from "../../kernel/Audit.ts"
import * as Audit from "../../kernel/Audit.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import * as Entity from "../../kernel/Entity.ts"

/** What an operator may change. Everyone with a token may look. */
export const roles = ["support", "finance", "admin"] as const
export type Role = (typeof roles)[number]

/** The name of the configuration's operator, and of everyone on the machine while there is no token. */
export const unnamed = "operator"

export const OperatorAccount = Entity.make("operators", {
  columns: {
    /** The name, as the audit trail records it. */
    name: Entity.text(),
    version: Entity.integer,
    /** SHA-256 of the token, in hexadecimal. A token has 192 random bits, so the hash needs no salt. */
    tokenHash: Entity.text(),
    /** The roles, separated by commas; empty for an operator who only looks. */
    roles: Entity.text(),
    /** The actor to whom the token was given when it was made. */
    tokenMadeBy: Entity.text<Actor>(),
    createdAtMs: Entity.integer,
    changedAtMs: Entity.integer
  },
  key: ["name"],
  unique: { token: ["tokenHash"] }
})
export type OperatorAccount = Entity.Row<typeof OperatorAccount>

export type Reason = "NameTaken" | "Unknown" | "LastAdmin" | "FirstIsAdmin"

/** The change was refused, and nothing was changed. */
export class AccountRefused extends Data.TaggedError("AccountRefused")<{
  readonly reason: Reason
  readonly message: string
}> {}

const refused = (reason: Reason, message: string) => Result.fail(new AccountRefused({ reason, message }))

export const actorOf = (name: string): Actor => `operator:${name}`

export const rolesOf = (account: Pick<OperatorAccount, "roles">): ReadonlyArray<Role> =>
  roles.filter((role) => account.roles.split(",").includes(role))

/** Returns the roles as they are stored: each once, in their order. */
export const joined = (chosen: ReadonlyArray<string>): string => roles.filter((role) => chosen.includes(role)).join(",")

const isAdmin = (account: Pick<OperatorAccount, "roles">): boolean => rolesOf(account).includes("admin")

/** Everything that a decision depends on. */
export interface Situation {
  /** Every account of the store. */
  readonly accounts: ReadonlyArray<OperatorAccount>
  /** The names of the operators whose tokens the configuration contains. They may do everything. */
  readonly configured: ReadonlyArray<string>
  readonly actor: Actor
  readonly auditId: string
  readonly nowMs: number
}

export interface Decided {
  readonly account: OperatorAccount
  readonly change: Change.Change
}

type Answer = Result.Result<Decided, AccountRefused>

const audited = (
  { actor, auditId, nowMs }: Situation,
  action: string,
  name: string,
  detail: Readonly<Record<string, string | null>>
): Change.Change =>
  Change.writing(Audit.entry({ auditId, atMs: nowMs, actor, action, subject: { kind: "operator", id: name }, detail }))

export const add = (context: Situation, name: string, chosen: string, tokenHash: string): Answer => {
  const { accounts, actor, configured, nowMs } = context
  if (name === unnamed)
    return refused("NameTaken", `${unnamed} is who has the configuration's token: choose the name of a person`)
  if (configured.includes(name) || accounts.some((each) => each.name === name))
    return refused("NameTaken", `there is an operator ${name}, or there was: each name means one person`)
  const account: OperatorAccount = {
    name,
    version: 1,
    tokenHash,
    roles: chosen,
    tokenMadeBy: actor,
    createdAtMs: nowMs,
    changedAtMs: nowMs
  }
  if (configured.length === 0 && accounts.length === 0 && !isAdmin(account))
    return refused("FirstIsAdmin", "the first operator needs the role admin, or nobody could add another")
  return Result.succeed({
    account,
    change: Change.all(
      {
        guards: [Decision.absent(OperatorAccount, "key", [name])],
        writes: [Decision.append(OperatorAccount, account)]
      },
      audited(context, "operator.add", name, { roles: chosen })
    )
  })
}

const hashOfRemoved = (name: string): string => `removed:${name}`

export const isRemoved = ({ name, tokenHash }: OperatorAccount): boolean => tokenHash === hashOfRemoved(name)

const find = ({ accounts, configured }: Situation, name: string): Result.Result<OperatorAccount, AccountRefused> => {
  const account = accounts.find((each) => each.name === name)
  if (account !== undefined && !isRemoved(account)) return Result.succeed(account)
  return configured.includes(name)
    ? refused("Unknown", `the token of ${name} is in the gateway's configuration: change it there`)
    : refused("Unknown", `there is no operator ${name}`)
}

/** Requires that an admin is left without this account. The guard keeps that admin until the commit. */
const adminLeft = ({ accounts, configured }: Situation, name: string): Result.Result<Change.Change, AccountRefused> => {
  if (configured.length > 0) return Result.succeed(Change.none)
  const other = accounts.find((each) => each.name !== name && isAdmin(each))
  return other === undefined
    ? refused("LastAdmin", `${name} is the last operator with the role admin: give it to another first`)
    : Result.succeed(Change.unchanged(OperatorAccount, other))
}

const patched = (
  context: Situation,
  account: OperatorAccount,
  patch: Partial<OperatorAccount>,
  ...others: ReadonlyArray<Change.Change>
): Decided => {
  const dated = { ...patch, changedAtMs: context.nowMs }
  return {
    account: Change.next(account, dated),
    change: Change.all(...others, Change.update(OperatorAccount, account, dated))
  }
}

export const changeRoles = (context: Situation, name: string, chosen: string): Answer =>
  Result.flatMap(find(context, name), (account) =>
    Result.map(isAdmin({ roles: chosen }) ? Result.succeed(Change.none) : adminLeft(context, name), (left) =>
      patched(
        context,
        account,
        { roles: chosen },
        left,
        audited(context, "operator.change", name, { from: account.roles, to: chosen })
      )
    )
  )

/** Replaces the token: the old one ends with this commit. */
export const replaceToken = (context: Situation, name: string, tokenHash: string): Answer =>
  Result.map(find(context, name), (account) =>
    patched(
      context,
      account,
      { tokenHash, tokenMadeBy: context.actor },
      audited(context, "operator.token", name, { from: account.tokenMadeBy, to: context.actor })
    )
  )

/**
 * Removes the operator: no token has the hash any more. The row stays, so that who made the token is remembered for what the operator
 * had proposed, and the name in the audit trail means one person for ever.
 */
export const remove = (context: Situation, name: string): Answer =>
  Result.flatMap(find(context, name), (account) =>
    Result.map(isAdmin(account) ? adminLeft(context, name) : Result.succeed(Change.none), (left) =>
      patched(
        context,
        account,
        { tokenHash: hashOfRemoved(name), roles: "" },
        left,
        audited(context, "operator.remove", name, { roles: account.roles })
      )
    )
  )

/** Returns the actors who may know the actor's token: its holder, and whoever made it. */
const knowers = (accounts: ReadonlyArray<OperatorAccount>, actor: string): ReadonlyArray<string> => [
  actor,
  ...accounts.flatMap(({ name, tokenMadeBy }) => (actorOf(name) === actor ? [tokenMadeBy] : []))
]

/** Returns why two actors count as one person; undefined if they are two. Who made another's token could act in their name. */
export const onePerson = (
  accounts: ReadonlyArray<OperatorAccount>,
  first: string,
  second: string
): string | undefined => {
  if (first === second) return "you proposed this: a second person must confirm it"
  const others = knowers(accounts, second)
  const both = knowers(accounts, first).find((actor) => others.includes(actor))
  const given = accounts.find(({ name, tokenMadeBy }) => {
    const own = actorOf(name)
    return tokenMadeBy === both && own !== both && (own === first || own === second)
  })
  return (
    given &&
    `${given.tokenMadeBy} made the token of ${given.name} and may know it: ${given.name} first replaces it (pay operator token)`
  )
}
