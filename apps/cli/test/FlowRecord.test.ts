import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import * as FlowRecord from "../src/flow/FlowRecord.ts"

const ids = [
  ...["000000161", "161", "Ab1", "aB1", "INV/2025/00001", "#123", "100%", "100%25", "a+b", "a b", "../x", "..", "null"],
  ...["con", "a:b", "\u00e4", "a\u0308", "\u00e4".repeat(128), "\u{1f600}".repeat(64), "9".repeat(128), "9".repeat(127)]
]

const record = (clientOrderId: string): FlowRecord.FlowRecord => ({
  flow: "sale",
  clientOrderId,
  settings: {},
  fields: { client_orderid: clientOrderId },
  withheld: [],
  listens: false
})

it("keeps the record of each identifier in a file of its own, on every file system", () => {
  const folder = mkdtempSync(join(tmpdir(), "pay-flows-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const id of ids) FlowRecord.write(folder, record(id))
  for (const id of ids) expect(FlowRecord.find(folder, id)).toEqual(record(id))
  const names = readdirSync(join(folder, "flows"))
  expect(new Set(names.map((name) => name.normalize("NFC").toLowerCase())).size).toBe(ids.length)
  expect(names.filter((name) => !/^[\w-]{1,200}\.json$/.test(name))).toEqual([])
  FlowRecord.remove(folder, "Ab1")
  expect(FlowRecord.find(folder, "Ab1")).toBeUndefined()
  expect(FlowRecord.find(folder, "aB1")).toEqual(record("aB1"))
})
