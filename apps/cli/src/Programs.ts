/** The program of each command, loaded when it is called: only what sends a request loads Effect. */
import type { Name } from "./Commands.ts"
import type { ExitCode } from "./ExitCode.ts"

interface Program {
  readonly run: (args: ReadonlyArray<string>) => Promise<ExitCode>
}

export const programs: Readonly<Record<Name, () => Promise<Program>>> = {
  balance: () => import("./BalanceRoom.ts"),
  audit: () => import("./AuditRoom.ts"),
  orders: () => import("./OrdersRoom.ts"),
  callbacks: () => import("./CallbacksRoom.ts"),
  rewrap: () => import("./RewrapRoom.ts"),
  merchants: () => import("./MerchantsRoom.ts"),
  keys: () => import("./KeysRoom.ts"),
  payout: () => import("./PayoutRoom.ts"),
  bookings: () => import("./BookingsRoom.ts"),
  tasks: () => import("./TasksRoom.ts"),
  parity: () => import("./ParityRoom.ts"),
  cards: () => import("./CardsRoom.ts"),
  settlement: () => import("./SettlementRoom.ts"),
  backup: () => import("./BackupRoom.ts"),
  restore: () => import("./RestoreRoom.ts"),
  subscriptions: () => import("./SubscriptionsRoom.ts"),
  clock: () => import("./ClockRoom.ts"),
  flow: () => import("./FlowRoom.ts"),
  call: () => import("./CallRoom.ts"),
  status: () => import("./StatusRoom.ts"),
  sign: () => import("./SignRoom.ts"),
  verify: () => import("./VerifyRoom.ts"),
  explain: () => import("./ExplainRoom.ts"),
  gateway: () => import("./GatewayRoom.ts"),
  help: () => import("./HelpRoom.ts")
}
