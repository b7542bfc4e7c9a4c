/** The program of each command, loaded when it is called: only what sends a request loads Effect. */
import type { Name } from "./Commands.ts"
import type { ExitCode } from "./ExitCode.ts"

interface Program {
  readonly run: (args: ReadonlyArray<string>) => Promise<ExitCode>
}

export const programs: Readonly<Record<Name, () => Promise<Program>>> = {
  balance: () => import("./commands/balance.ts"),
  audit: () => import("./commands/audit.ts"),
  orders: () => import("./commands/orders.ts"),
  callbacks: () => import("./commands/callbacks.ts"),
  rewrap: () => import("./commands/rewrap.ts"),
  merchants: () => import("./commands/merchants.ts"),
  keys: () => import("./commands/keys.ts"),
  payout: () => import("./commands/payout.ts"),
  bookings: () => import("./commands/bookings.ts"),
  tasks: () => import("./commands/tasks.ts"),
  parity: () => import("./commands/parity.ts"),
  cards: () => import("./commands/cards.ts"),
  settlement: () => import("./commands/settlement.ts"),
  backup: () => import("./commands/backup.ts"),
  restore: () => import("./commands/restore.ts"),
  subscriptions: () => import("./commands/subscriptions.ts"),
  clock: () => import("./commands/clock.ts"),
  flow: () => import("./commands/flow.ts"),
  call: () => import("./commands/call.ts"),
  status: () => import("./commands/status.ts"),
  sign: () => import("./commands/sign.ts"),
  verify: () => import("./commands/verify.ts"),
  explain: () => import("./commands/explain.ts"),
  gateway: () => import("./commands/gateway.ts"),
  help: () => import("./commands/help.ts")
}
