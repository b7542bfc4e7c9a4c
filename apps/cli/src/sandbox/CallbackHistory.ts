/**
 * The callbacks that `pay listen` has received, in a file that is kept after it ends. An entry has the fields that the gateway
 * reports, without digits of cards, without the merchant's own query and without keys.
 */
import { appendFileSync, existsSync } from "node:fs"
import type * as Output from "../terminal/Output.ts"
import * as StateFile from "../terminal/StateFile.ts"
import { UsageError } from "../terminal/UsageError.ts"

export interface Entry {
  /** Time of the callback in ISO 8601. */
  readonly at: string
  readonly method: string
  /** The path without its query. */
  readonly path: string
  readonly signature: "right" | "wrong"
  /** The reason for which the signature is not accepted; empty if it is accepted. */
  readonly problem: string
  readonly callback: Readonly<Record<string, string>>
  readonly webhookId: string | null
  /** Whether the same event was received before. */
  readonly isRepeat: boolean
  /** The answer of the merchant's own program, or `null` if the callback was not forwarded. */
  readonly forwarded: { readonly status: number | null; readonly tookMs: number; readonly problem: string } | null
  /** The HTTP status of the answer to the gateway. */
  readonly status: number
}

/** Number of entries that remain when the file is shortened. */
const remaining = 500
const most = 1000

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && "at" in value && "callback" in value && "webhookId" in value

const entryOf = (line: string): ReadonlyArray<Entry> => {
  try {
    const value: unknown = JSON.parse(line)
    return isEntry(value) ? [value] : []
  } catch {
    return []
  }
}

/** Returns the entries of the file, the oldest first. An incomplete line is skipped. */
export const read = (path: string): ReadonlyArray<Entry> => (StateFile.read(path) ?? "").split("\n").flatMap(entryOf)

const written = (entries: ReadonlyArray<Entry>): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")

export interface History {
  readonly hasEvent: (webhookId: string | null) => boolean
  readonly add: (entry: Entry) => void
}

/** Opens the history. The file is readable only by its owner, and is shortened if it is too long. */
export const open = (path: string): History => {
  const entries = read(path)
  const events = new Set(entries.flatMap(({ webhookId }) => webhookId ?? []))
  const error = new UsageError("The history cannot be written: give another file with --history-file", "listen")
  if (entries.length > most || !existsSync(path)) StateFile.write(path, written(entries.slice(-remaining)), error)
  return {
    hasEvent: (webhookId) => webhookId !== null && events.has(webhookId),
    add: (entry) => {
      if (entry.webhookId !== null) events.add(entry.webhookId)
      appendFileSync(path, written([entry]), { mode: 0o600 })
    }
  }
}

const words = (...parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined && part !== "").join(" ")

const answerOf = ({ forwarded, status }: Entry): string => {
  if (forwarded === null) return `answered ${status}`
  if (forwarded.status === null) return `not forwarded: ${forwarded.problem}; answered ${status}`
  const again = forwarded.status === 200 ? "" : "; the gateway tries again"
  return `forwarded: ${forwarded.status} in ${forwarded.tookMs} ms${again}`
}

/** Formats an entry as one line for people. */
export const report = (entry: Entry): Output.Report => {
  const { amount, client_orderid: clientOrderId, currency, orderid, status, type } = entry.callback
  const what =
    entry.signature === "right"
      ? words(type, status, clientOrderId, orderid && `(${orderid})`, amount, currency, entry.isRepeat ? "again" : "")
      : `${entry.method} ${entry.path} NOT SIGNED: ${entry.problem}`
  return { text: `${entry.at.slice(11, 19)}  ${what}  ${answerOf(entry)}`, json: { ...entry } }
}
