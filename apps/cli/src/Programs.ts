/** The program of each command, which is loaded when it is called. Only programs that send requests load Effect. */
import type { Name } from "./Commands.ts"
import type { ExitCode } from "./ExitCode.ts"
import type { Name as OperatorName } from "./OperatorCommands.ts"

interface Program {
  readonly run: (args: ReadonlyArray<string>) => Promise<ExitCode>
}

/** Returns the program of a command of the operator contract. */
const operator = (name: OperatorName) => async (): Promise<Program> => {
  const { running } = await import("./commands/operator.ts")
  return { run: running(name) }
}

export const programs: Readonly<Record<Name, () => Promise<Program>>> = {
  audit: operator("audit"),
  logs: operator("logs"),
  orders: operator("orders"),
  callbacks: operator("callbacks"),
  merchants: operator("merchants"),
  keys: async () => ({
    run: async (args) => {
      const [verb, ...rest] = args
      const { run } = await (verb === "new" ? import("./commands/keys-new.ts") : operator("keys")())
      return run(verb === "new" ? rest : args)
    }
  }),
  balance: operator("balance"),
  bookings: operator("bookings"),
  tasks: operator("tasks"),
  reconciliation: operator("reconciliation"),
  cards: operator("cards"),
  settlement: operator("settlement"),
  subscriptions: operator("subscriptions"),
  clock: operator("clock"),
  payout: () => import("./commands/payout.ts"),
  backup: () => import("./commands/backup.ts"),
  restore: () => import("./commands/restore.ts"),
  store: () => import("./commands/store.ts"),
  flow: () => import("./commands/flow.ts"),
  call: () => import("./commands/call.ts"),
  status: () => import("./commands/status.ts"),
  sign: () => import("./commands/sign.ts"),
  verify: () => import("./commands/verify.ts"),
  explain: () => import("./commands/explain.ts"),
  gateway: () => import("./commands/gateway.ts"),
  listen: () => import("./commands/listen.ts"),
  why: () => import("./commands/why.ts"),
  doctor: () => import("./commands/doctor.ts"),
  trigger: () => import("./commands/trigger.ts"),
  adapter: () => import("./commands/adapter.ts"),
  crashtest: () => import("./commands/crashtest.ts"),
  conformance: () => import("./commands/conformance.ts"),
  open: () => import("./commands/open.ts"),
  completion: () => import("./commands/completion.ts"),
  profile: () => import("./commands/profile.ts"),
  help: () => import("./commands/help.ts")
}
