/** What goes wrong, once, at the request that moves money; and how callbacks fare. */
import type * as SimulatedNetwork from "@pay/sandbox/SimulatedNetwork"
import { type Death, deaths } from "./Deaths.ts"

export interface Fault {
  readonly name: string
  /** The fault that the request meets on its way. */
  readonly line?: SimulatedNetwork.Fault
  /** Calls that cannot be made, before any can. */
  readonly unreachable?: number
  /** Whether callbacks reach the shop; `forged`: each comes after one that says the opposite. Default `delivered`. */
  readonly callbacks?: "never" | "forged"
  /** The customer closes the window. */
  readonly abandoned?: true
  /** The shop's clock is a day ahead, and then again a day behind. */
  readonly clockJumps?: true
  /** The program is cut off at every request, and run again. */
  readonly cutOff?: true
  /** Two parts of the program begin the same at the same time. */
  readonly twice?: true
  /** The moments at which the merchant's own process is killed. The flow is a durable one then. */
  readonly death?: Death
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
  { name: "merchant killed", death: deaths.everywhere },
  { name: "killed at once", death: deaths.atOnce },
  { name: "customer leaves", abandoned: true }
]
