/** Faults at the request that moves money, one at a time, and faults of callbacks. */
import type * as SimulatedNetwork from "../../gateway/sandbox/src/SimulatedNetwork.ts"
import { type KillPlan, killPlans } from "./Kills.ts"

export interface Fault {
  readonly name: string
  /** The fault that the request meets on its way. */
  readonly line?: SimulatedNetwork.Fault
  /** How many calls fail before one can be made. */
  readonly unreachable?: number
  /** `never`: no callback arrives. `forged`: each follows a forged one with the opposite outcome. Default: callbacks arrive. */
  readonly callbacks?: "never" | "forged"
  /** The customer closes the window. */
  readonly abandoned?: true
  /** The shop's clock is a day ahead, and then again a day behind. */
  readonly clockJumps?: true
  /** The program is interrupted at every request, and run again. */
  readonly cutOff?: true
  /** Two parts of the program start the same flow at the same time. */
  readonly twice?: true
  /** The moments at which the merchant's own process is killed. The flow is a durable one then. */
  readonly killPlan?: KillPlan
}

export const faults: ReadonlyArray<Fault> = [
  { name: "nothing" },
  { name: "request lost", line: "requestLost", callbacks: "never" },
  { name: "answer lost", line: "answerLost" },
  { name: "answer late", line: "answerLate" },
  { name: "answer twice", line: "answerTwice" },
  { name: "request late", line: "requestLate" },
  { name: "request twice", line: "requestTwice" },
  { name: "unreachable", unreachable: 3 },
  { name: "callback first", line: "answerSlow" },
  { name: "callback never", callbacks: "never" },
  { name: "callback forged", callbacks: "forged" },
  { name: "clock jumps", clockJumps: true },
  { name: "interrupted", cutOff: true },
  { name: "started twice", twice: true },
  { name: "gateway killed", line: "gatewayRestarts" },
  { name: "merchant killed", killPlan: killPlans.everywhere },
  { name: "killed at once", killPlan: killPlans.atFirstRequest },
  { name: "customer leaves", abandoned: true }
]
