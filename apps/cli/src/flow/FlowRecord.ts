/**
 * The record of a started flow in a file, from which the flow can be resumed. It never contains card data, a security code, a
 * recipient or a key.
 */
import { createHash } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { Option, Schema } from "effect"
import type { OperationFacts } from "../command/Contract.ts"
import type { Given } from "../command/Flags.ts"
import { variables } from "../terminal/Environment.ts"
import * as StateFile from "../terminal/StateFile.ts"
import { UsageError } from "../terminal/UsageError.ts"
import { names } from "./FlowCommands.ts"

const Texts = Schema.Record(Schema.String, Schema.String)

export const FlowRecord = Schema.Struct({
  flow: Schema.Literals(names),
  clientOrderId: Schema.String,
  /** The settings as flags: address, login, endpoint, and the private key's file instead of the key. */
  settings: Texts,
  fields: Texts,
  /** The names of the fields that the record does not contain. */
  withheld: Schema.Array(Schema.String),
  /** Whether `redirect_url` is the address of this program's own listener. */
  listens: Schema.Boolean
})
export type FlowRecord = typeof FlowRecord.Type

const Text = Schema.fromJsonString(FlowRecord)

export const folderOf = ({ flags }: Given): string => flags.get("state-folder") ?? StateFile.folderOf(variables())

/** Returns the file of a flow. Its name is a hash, because file systems limit names, and some ignore upper and lower case. */
const pathOf = (folder: string, clientOrderId: string): string =>
  join(folder, "flows", `${createHash("sha256").update(clientOrderId).digest("hex")}.json`)

/** Separates the fields that can be stored from the names of those that cannot. */
export const split = (
  { fields }: OperationFacts,
  texts: Readonly<Record<string, string>>
): Pick<FlowRecord, "fields" | "withheld"> => {
  const isPlain = ([name]: readonly [string, string]) => fields.get(name)?.kind === "plain"
  const all = Object.entries(texts)
  return {
    fields: Object.fromEntries(all.filter(isPlain)),
    withheld: all.filter((entry) => !isPlain(entry)).map(([name]) => name)
  }
}

export const find = (folder: string, clientOrderId: string): FlowRecord | undefined => {
  const text = StateFile.read(pathOf(folder, clientOrderId))
  if (text === undefined) return undefined
  const record = Option.getOrUndefined(Schema.decodeUnknownOption(Text)(text))
  if (record !== undefined) return record
  throw new UsageError("The file of this flow cannot be read. pay status shows the order")
}

/** Writes the record atomically, readable only by its owner. Fails if a flow with the same name and different content exists. */
export const write = (folder: string, record: FlowRecord): void => {
  const { clientOrderId } = record
  const before = find(folder, clientOrderId)
  if (before !== undefined && !isDeepStrictEqual(contentOf(before), contentOf(record))) {
    throw new UsageError(
      "A flow of this client_orderid is under way with other content: finish it with pay flow resume, or take another client_orderid",
      "flow"
    )
  }
  StateFile.write(
    pathOf(folder, clientOrderId),
    Schema.encodeSync(Text)(record),
    new UsageError("The state folder cannot be written: give another one with --state-folder", "flow")
  )
}

/** Returns the content for comparison, without the address of this program's own listener, which differs at each start. */
const contentOf = ({ fields, listens, ...rest }: FlowRecord) => {
  const { redirect_url: url, ...others } = fields
  return { ...rest, fields: listens || url === undefined ? others : fields }
}

export const remove = (folder: string, clientOrderId: string): void =>
  rmSync(pathOf(folder, clientOrderId), { force: true })
