/**
 * Groups decisions into batches, each committed by one call. The members of a batch share no name with each other or with a batch
 * that is under way, so all guards can be checked against the rows before the batch. A decision that shares a name waits for a
 * later batch, together with all later decisions that share its names.
 */
import { type Decision, type Guard, roomOf, type Write } from "@pay/gateway/Decision"
import { Balance, Job } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { StoreRow } from "@pay/gateway/Store"
import { place } from "./CommitFunction.ts"
import { toStored } from "./Values.ts"

type Stored = string | number | null
type Values = ReadonlyArray<Entity.Value>

/** The names that a decision reads and writes. */
export interface Names {
  /** Names that no other process may lock at the same time. */
  readonly alone: ReadonlySet<string>
  /** Accounts with postings. Several batches may lock them at the same time. */
  readonly shared: ReadonlySet<string>
  /** Rows that are added. No other process knows them, so they only separate decisions of this process. */
  readonly added: ReadonlySet<string>
}

const nameOf = (entity: Entity.Entity, unique: string, values: Values): string =>
  `${entity.name}.${unique} ${values.map(toStored).join("\u0002")}`

const keyOf = (entity: Entity.Entity, row: Readonly<Record<string, Entity.Value>>): Values =>
  entity.key.map((column) => row[column] ?? null)

/** Undefined: the guard locks nothing. */
const nameOfGuard = (guard: Guard): string | undefined => {
  switch (guard._tag) {
    case "VersionIs":
      return nameOf(guard.entity, "key", guard.key)
    case "Absent":
      return nameOf(guard.entity, guard.unique, guard.values)
    case "LeaseIs":
      return nameOf(Job, "key", [guard.jobId])
    case "BalanceAtLeast":
      return nameOf(Balance, "key", [guard.account])
    case "BalanceHasRoom":
      return undefined
  }
}

export const namesOf = ({ guards, writes }: Decision): Names => {
  const alone = new Set(guards.map(nameOfGuard).filter((name) => name !== undefined))
  const shared = new Set<string>()
  const added = new Set<string>()
  for (const write of writes) {
    if (write._tag === "Put") alone.add(nameOf(write.entity, "key", keyOf(write.entity, write.row)))
    if (write._tag === "Remove") alone.add(nameOf(write.entity, "key", write.key))
    if (write._tag === "Append") added.add(nameOf(write.entity, "key", keyOf(write.entity, write.row)))
  }
  for (const write of writes) {
    if (write._tag !== "Post") continue
    const name = nameOf(Balance, "key", [write.account])
    if (!alone.has(name)) shared.add(name)
  }
  return { alone, shared, added }
}

/** Counts the decisions, in a batch, under way or waiting, that use each name. */
export class Taken {
  readonly #alone = new Map<string, number>()
  readonly #shared = new Map<string, number>()

  clashes({ added, alone, shared }: Names): boolean {
    for (const name of alone) if (this.#alone.has(name) || this.#shared.has(name)) return true
    for (const name of added) if (this.#alone.has(name)) return true
    for (const name of shared) if (this.#alone.has(name)) return true
    return false
  }

  add(names: Names): void {
    this.#change(names, 1)
  }

  remove(names: Names): void {
    this.#change(names, -1)
  }

  #change({ added, alone, shared }: Names, by: number): void {
    for (const name of alone) count(this.#alone, name, by)
    for (const name of added) count(this.#alone, name, by)
    for (const name of shared) count(this.#shared, name, by)
  }
}

const count = (counts: Map<string, number>, name: string, by: number): void => {
  const next = (counts.get(name) ?? 0) + by
  if (next <= 0) counts.delete(name)
  else counts.set(name, next)
}

/** Largest number of guards of one decision. The codes of further ones would be those of another member. */
const maxGuards = 1000

/** The rows of one kind of guard or write, by their position. */
type Rows = Record<string, Array<ReadonlyArray<Stored>>>

const addTo = (rows: Rows, at: string, row: ReadonlyArray<Stored>): void => {
  const existing = rows[at]
  if (existing === undefined) rows[at] = [row]
  else existing.push(row)
}

const guardRow = (guard: Guard): readonly [at: string, values: Values] => {
  switch (guard._tag) {
    case "VersionIs":
      return [place.version(guard.entity), [...guard.key, guard.version]]
    case "Absent":
      return [place.absent(guard.entity, uniqueOf(guard)), guard.values]
    case "LeaseIs":
      return [place.lease, [guard.jobId, guard.token]]
    case "BalanceAtLeast":
      return [place.balance, [guard.account, guard.minor]]
    case "BalanceHasRoom": {
      const { from, to } = roomOf(guard)
      return [place.room, [guard.account, from, to]]
    }
  }
}

const uniqueOf = ({ entity, unique, values }: Extract<Guard, { readonly _tag: "Absent" }>): string => {
  if (StoreRow.uniqueColumns(entity, unique).length !== values.length)
    throw new TypeError(`${entity.name} has no unique key ${unique} of ${values.length} columns.`)
  return unique
}

const addWrites = (
  phases: Array<Rows>,
  posts: Array<ReadonlyArray<Stored>>,
  member: number,
  writes: ReadonlyArray<Write>
) => {
  const written = new Map<string, number>()
  const phaseOf = (entity: Entity.Entity, key: Values): Rows => {
    const name = nameOf(entity, "key", key)
    const at = written.get(name) ?? 0
    written.set(name, at + 1)
    const phase = phases[at] ?? {}
    phases[at] = phase
    return phase
  }
  for (const write of writes) {
    switch (write._tag) {
      case "Post":
        posts.push([member, toStored(write.account), write.minor])
        break
      case "Remove":
        addTo(phaseOf(write.entity, write.key), place.remove(write.entity), [member, ...write.key.map(toStored)])
        break
      case "Put":
      case "Append": {
        const { entity, row } = write
        const at = write._tag === "Put" ? place.put(entity) : place.append(entity)
        const values = Object.keys(entity.columns).map((column) => toStored(row[column] ?? null))
        addTo(phaseOf(entity, keyOf(entity, row)), at, [member, ...values])
        break
      }
    }
  }
}

export interface Member {
  readonly decision: Decision
  readonly names: Names
}

/** Whether the decision leaves a due job without a lease. */
const leavesDue = ({ writes }: Decision, nowMs: number): boolean =>
  writes.some(
    (write) =>
      (write._tag === "Put" || write._tag === "Append") &&
      write.entity.name === Job.name &&
      write.row.token === null &&
      Number(write.row.dueAtMs) <= nowMs
  )

/** The channel that sends a batch, with the batch's number, and the last acknowledged numbers of all channels of the process. */
export interface Sender {
  readonly writer: string
  readonly number: number
  readonly positions: ReadonlyArray<readonly [writer: string, number: number]>
}

/** Returns the argument of the commit function. */
export const encode = (
  { number, positions, writer }: Sender,
  members: ReadonlyArray<Member>,
  nowMs: number
): string => {
  const guards: Rows = {}
  const phases: Array<Rows> = []
  const posts: Array<ReadonlyArray<Stored>> = []
  const alone = new Set<string>()
  const shared = new Set<string>()
  members.forEach(({ decision, names }, member) => {
    if (decision.guards.length >= maxGuards) throw new RangeError(`A decision has ${decision.guards.length} guards.`)
    decision.guards.forEach((guard, at) => {
      const [where, values] = guardRow(guard)
      // A unique key that contains null belongs to no row.
      if (guard._tag === "Absent" && values.includes(null)) return
      addTo(guards, where, [member * maxGuards + at, ...values.map(toStored)])
    })
    addWrites(phases, posts, member, decision.writes)
    for (const name of names.alone) alone.add(name)
    for (const name of names.shared) shared.add(name)
  })
  const others = positions.filter(([other, acknowledged]) => other !== writer && acknowledged > 0)
  const due = members.some(({ decision }) => leavesDue(decision, nowMs))
  return JSON.stringify({
    ...{
      w: writer,
      n: number,
      o: Object.fromEntries(others),
      x: [...alone],
      s: [...shared],
      g: guards,
      p: phases,
      b: posts
    },
    ...(due ? { d: 1 } : {})
  })
}

/** Returns the first failed guard of each member, from the codes that the function returned. */
export const lostOf = (codes: ReadonlyArray<number>): ReadonlyMap<number, number> => {
  const lost = new Map<number, number>()
  for (const code of codes) {
    const member = Math.floor(code / maxGuards)
    const guard = code % maxGuards
    lost.set(member, Math.min(guard, lost.get(member) ?? guard))
  }
  return lost
}
