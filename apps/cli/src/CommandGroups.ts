/** The commands in the groups in which help lists them. */
import type { Name } from "./Commands.ts"

const titles = {
  payments: "Payments",
  signatures: "Signatures",
  development: "Development with a sandbox",
  tests: "Tests of a shop, a gateway or a bank",
  orders: "Operating: orders and money",
  access: "Operating: merchants, operators and records",
  store: "Operating: the store, its keys and settings",
  settings: "Settings and help"
}

/** The group of each command. */
const groupOf: Readonly<Record<Name, keyof typeof titles>> = {
  call: "payments",
  flow: "payments",
  status: "payments",
  why: "payments",
  sign: "signatures",
  verify: "signatures",
  explain: "signatures",
  gateway: "development",
  trigger: "development",
  clock: "development",
  listen: "development",
  open: "development",
  crashtest: "tests",
  conformance: "tests",
  adapter: "tests",
  orders: "orders",
  callbacks: "orders",
  tasks: "orders",
  payout: "orders",
  subscriptions: "orders",
  cards: "orders",
  balance: "orders",
  bookings: "orders",
  settlement: "orders",
  reconciliation: "orders",
  merchants: "access",
  keys: "access",
  operator: "access",
  proposals: "access",
  logs: "access",
  now: "access",
  audit: "access",
  backup: "store",
  restore: "store",
  store: "store",
  keyring: "store",
  config: "store",
  profile: "settings",
  doctor: "settings",
  completion: "settings",
  help: "settings"
}

export interface CommandGroup {
  readonly title: string
  readonly names: ReadonlyArray<string>
}

/** All groups in their order, each with its commands in the order of the list above. */
export const all: ReadonlyArray<CommandGroup> = Object.entries(titles).map(([group, title]) => ({
  title,
  names: Object.entries(groupOf).flatMap(([name, own]) => (own === group ? [name] : []))
}))
