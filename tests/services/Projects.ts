/** The two projects: what is installed in them, and what their shops sell. */
import { cpSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { libraries, root } from "../../scripts/Workspace.ts"
import * as ClientShop from "../release/ClientShop.ts"
import * as Consumer from "../release/Consumer.ts"
import { compile, passes } from "../rules/Tool.ts"
import type * as Customers from "./Customers.ts"
import type { Kind } from "./KillPoints.ts"
import type { Project } from "./Shop.ts"

/** Copies the sources of a shop into a project, and compiles them there. */
const withSources = (folder: string, sources: string) =>
  Effect.promise(async (): Promise<Project> => {
    const from = join(import.meta.dirname, sources)
    cpSync(from, join(folder, "shop"), { recursive: true })
    Consumer.link(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"))
    const flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "--target", "ES2024"]
    const node = ["--module", "NodeNext", "--types", "node", "--allowImportingTsExtensions"]
    await passes(compile([...flags, ...node, "shop/main.ts"], { cwd: folder }))
    const texts = readdirSync(from).map((name) => readFileSync(join(from, name), "utf8"))
    return { folder, main: "shop/main.ts", lines: texts.join("").split("\n").length - 1 }
  })

const needed = ["@pay/schema", "@pay/signing", "@pay/transport", "@pay/flows", "@pay/sqlite", "@pay/workflow-sqlite"]
const packages = libraries.filter(({ manifest }) => needed.includes(manifest.name))

const address = { address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" }
const contact = { email: "ada@example.com", phone: "+442079460000", ipAddress: "203.0.113.7" }
/** On an endpoint with 3-D Secure the issuer asks the holder of this card. */
const number = "4444000011118888"
const until = { expireMonth: "12", expireYear: "2035" }
const card = { ...until, cardPrintedName: "ADA LOVELACE", creditCardNumber: number, cvv2: "123" }
const payer = { ...address, ...contact, ...card }

interface Shop {
  /** A project with the packed packages, until the scope ends. */
  readonly install: Effect.Effect<Project, never, Scope.Scope>
  readonly kinds: ReadonlyArray<Kind>
  readonly forms: Customers.Forms
}

export const effect: Shop = {
  install: Effect.gen(function* () {
    const { folder } = yield* Effect.acquireRelease(
      Effect.promise(() => Consumer.install(packages)),
      ({ remove }) => Effect.sync(remove)
    )
    const platform = "node_modules/@effect/platform-node"
    Consumer.link(join(root, "tests", platform), join(folder, platform))
    return yield* withSources(folder, "effect")
  }),
  kinds: ["sale", "threeds", "refund", "payout", "member", "trip", "brokenTrip"],
  forms: {
    payer: { ...payer, orderDesc: "A membership" },
    sale: (amount, endpointId) => ({ ...payer, amount, endpointId, currency: "USD", orderDesc: "A ticket" })
  }
}

export const promise: Shop = {
  install: Effect.gen(function* () {
    const { folder } = yield* Effect.acquireRelease(
      Effect.promise(() => ClientShop.install()),
      ({ remove }) => Effect.sync(remove)
    )
    return yield* withSources(folder, "promise")
  }),
  kinds: ["sale", "threeds", "refund"],
  forms: {
    payer,
    sale: (amount, endpointId) => ({
      ...{ amount, endpointId, currency: "USD", customer: { ...address, ...contact } },
      card: { ...until, number, holder: "ADA LOVELACE", cvv: "123" }
    })
  }
}
