/** The program of each command, which is loaded when it is called. Only programs that send requests load Effect. */
import type { Name } from "./Commands.ts"
import type { Name as OperatorName } from "./operator/OperatorCommands.ts"
import type { ExitCode } from "./terminal/ExitCode.ts"

interface Program {
  readonly run: (args: ReadonlyArray<string>) => Promise<ExitCode>
}

/** Returns the program of a command of the operator contract. */
const operator = (name: OperatorName) => async (): Promise<Program> => {
  const { running } = await import("./operator/OperatorProgram.ts")
  return { run: running(name) }
}

export const programs: Readonly<Record<Name, () => Promise<Program>>> = {
  now: operator("now"),
  audit: operator("audit"),
  logs: operator("logs"),
  orders: operator("orders"),
  callbacks: operator("callbacks"),
  merchants: operator("merchants"),
  keys: async () => ({
    run: async (args) => {
      const [verb, ...rest] = args
      const { run } = await (verb === "new" ? import("./request/KeysNewProgram.ts") : operator("keys")())
      return run(verb === "new" ? rest : args)
    }
  }),
  operator: operator("operator"),
  proposals: operator("proposals"),
  balance: operator("balance"),
  bookings: operator("bookings"),
  tasks: operator("tasks"),
  reconciliation: operator("reconciliation"),
  cards: operator("cards"),
  settlement: operator("settlement"),
  subscriptions: operator("subscriptions"),
  clock: operator("clock"),
  payout: () => import("./operator/PayoutProgram.ts"),
  backup: () => import("./store/BackupProgram.ts"),
  restore: () => import("./store/RestoreProgram.ts"),
  store: () => import("./store/StoreProgram.ts"),
  keyring: () => import("./store/KeyringProgram.ts"),
  config: () => import("./store/ConfigProgram.ts"),
  flow: () => import("./flow/FlowProgram.ts"),
  call: () => import("./request/CallProgram.ts"),
  status: () => import("./request/StatusProgram.ts"),
  sign: () => import("./request/SignProgram.ts"),
  verify: () => import("./explain/VerifyProgram.ts"),
  explain: () => import("./explain/ExplainProgram.ts"),
  gateway: () => import("./sandbox/GatewayProgram.ts"),
  listen: () => import("./sandbox/ListenProgram.ts"),
  why: () => import("./operator/WhyProgram.ts"),
  doctor: () => import("./doctor/DoctorProgram.ts"),
  trigger: () => import("./sandbox/TriggerProgram.ts"),
  adapter: () => import("./adapter/AdapterProgram.ts"),
  crashtest: () => import("./crashtest/CrashTestProgram.ts"),
  conformance: () => import("./conformance/ConformanceProgram.ts"),
  open: () => import("./sandbox/OpenProgram.ts"),
  completion: () => import("./help/CompletionProgram.ts"),
  profile: () => import("./help/ProfileProgram.ts"),
  help: () => import("./help/HelpProgram.ts")
}
