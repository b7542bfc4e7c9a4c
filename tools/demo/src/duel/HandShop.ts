/** The shop of docs/from-plain-http.md, as a process. Its checkout is the code of that page; the argument names the file. */
import { pathToFileURL } from "node:url"
import * as Basket from "./Basket.ts"

const statuses = new Map<string, string>()
const db = {
  insert: async (orderId: string, status: string) => void statuses.set(orderId, status),
  ship: async () => {}
}
Object.assign(globalThis, { db })

const [, , path = ""] = process.argv
const { checkout } = await import(pathToFileURL(path).href)
await checkout({ card: Basket.fields, cents: Basket.cents, email: Basket.email })
console.log([...statuses.values()].join())
