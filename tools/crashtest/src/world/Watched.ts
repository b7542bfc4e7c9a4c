/** One order of a crash test while it is open: its names, the moments that came, and everything that was seen of it. */
import type { Callback } from "@pay/gateway/CallbackSender"
import * as CardText from "@pay/schema/CardText"
import * as Faults from "../plan/Faults.ts"
import type { Event, FaultAt, Moment, Observation, Order } from "../plan/Payment.ts"
import type { Together } from "./World.ts"

/** Largest number of events that a timeline has. A shop that floods the gateway does not fill the memory. */
const mostEvents = 500
/** Largest number of requests and names of one order that are kept. */
const mostKept = 2000

export class Watched {
  readonly order: Order
  readonly together: Together
  /** Names that the shop gave the order at the gateway, one for each attempt. */
  readonly clientOrderIds: Set<string> = new Set()
  /** The gateway's numbers of the order and of its recurring payment. */
  readonly numbers: Set<string> = new Set()
  /** The numbers under which the bank has the order. */
  readonly bankNumbers: Set<string> = new Set()
  /** The callback that was sent last. */
  latestCallback: Callback | undefined
  /** Business time at which each late callback was sent first, in milliseconds. */
  readonly lateSinceMs: Map<FaultAt, number> = new Map()
  readonly #nowMs: () => number
  readonly #beganMs: number
  readonly #requests: Array<string> = []
  readonly #callbackIds: Array<string> = []
  readonly #met: Array<FaultAt> = []
  readonly #timeline: Array<Event> = []
  /** The latest event of business time that passed. */
  #passed: Event | undefined
  #passedHours = 0
  #requestCount = 0
  #changes = 0
  #unanswered = 0
  #answeredMs: number
  #whenQuiet: Array<() => void> = []
  #heldAnswers: Array<() => void> = []

  constructor(order: Order, together: Together, nowMs: () => number) {
    this.order = order
    this.together = together
    this.#nowMs = nowMs
    this.#beganMs = nowMs()
    this.#answeredMs = this.#beganMs
  }

  get observation(): Observation {
    return {
      requests: [...this.#requests],
      callbacks: this.#callbackIds.length,
      changes: this.#changes,
      met: [...this.#met],
      timeline: [...this.#timeline]
    }
  }

  /** Adds an event to the timeline. Card numbers are masked. */
  tell(from: Event["from"], text: string, isFault = false): void {
    if (this.#timeline.length > mostEvents) return
    const isLast = this.#timeline.length === mostEvents
    this.#timeline.push({
      atMs: Math.round(this.#nowMs() - this.#beganMs),
      from,
      text: isLast ? "more happened that this timeline leaves out" : CardText.mask(text.replaceAll(/\s+/g, " ")),
      isFault: isFault && !isLast
    })
  }

  /** Adds business time that passes. What passes without another event is one event. */
  pass(hours: number): void {
    const last = this.#timeline.at(-1)
    if (last === undefined || last !== this.#passed) this.#passedHours = 0
    else this.#timeline.pop()
    this.#passedHours += hours
    this.tell("crash test", `${this.#passedHours} hours pass`)
    this.#passed = this.#timeline.at(-1)
  }

  /** Records that the moment of a fault has come. */
  meet(at: FaultAt): void {
    if (this.hasMet(at)) return
    this.#met.push(at)
    this.tell("crash test", Faults.faults[at.fault].sentence, true)
  }

  /** Records a fault of the whole payment, such as one of its customer. */
  meetWhole(fault: Faults.Fault): void {
    for (const at of this.order.case.faults) if (at.fault === fault) this.meet(at)
  }

  hasMet(at: FaultAt): boolean {
    return this.#met.includes(at)
  }

  /** Returns the fault at a moment. */
  faultAt(of: Moment["of"], index: number): FaultAt | undefined {
    return this.order.case.faults.find(({ moment }) => moment.of === of && "index" in moment && moment.index === index)
  }

  /** Returns the faults of the whole payment at one place. */
  wholeFaults(place: (typeof Faults.faults)[Faults.Fault]["at"]): ReadonlyArray<FaultAt> {
    return this.order.case.faults.filter(({ fault }) => Faults.faults[fault].at === place)
  }

  /** Records a request, and returns its index, from 1. */
  request(operation: string): number {
    this.#requestCount += 1
    if (this.#requests.length < mostKept) this.#requests.push(operation)
    return this.#requestCount
  }

  /** Records a delivery of a callback, and returns the index of the callback, from 1. Repetitions have the same index. */
  callback(id: string): number {
    this.#changes += 1
    const place = this.#callbackIds.indexOf(id)
    if (place !== -1) return place + 1
    if (this.#callbackIds.length < mostKept) this.#callbackIds.push(id)
    return this.#callbackIds.length
  }

  get callbackCount(): number {
    return this.#callbackIds.length
  }

  /** Adds a name to one of the sets, unless it is full. */
  learn(names: Set<string>, name: string | undefined): name is string {
    if (name === undefined || name === "" || names.size >= mostKept) return false
    names.add(name)
    return true
  }

  /** A request that changes something waits for its answer from now on. The result is called when the answer is on its way. */
  waits(): () => void {
    this.#changes += 1
    this.#unanswered += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#unanswered -= 1
      this.#answeredMs = this.#nowMs()
      if (this.#unanswered > 0) return
      for (const resume of this.#whenQuiet.splice(0)) resume()
    }
  }

  /** Calls `resume` when no request waits. Returns how to forget it. */
  whenQuiet(resume: () => void): () => void {
    if (this.#unanswered === 0) resume()
    else this.#whenQuiet.push(resume)
    return () => {
      this.#whenQuiet = this.#whenQuiet.filter((other) => other !== resume)
    }
  }

  /** Milliseconds since the last request was answered. */
  get quietMs(): number {
    return this.#nowMs() - this.#answeredMs
  }

  /** Holds an answer until the callback that must precede it was delivered. Returns how to forget it. */
  holdAnswer(resume: () => void): () => void {
    this.#heldAnswers.push(resume)
    return () => {
      this.#heldAnswers = this.#heldAnswers.filter((other) => other !== resume)
    }
  }

  get holdsAnswer(): boolean {
    return this.#heldAnswers.length > 0
  }

  releaseAnswers(): void {
    for (const resume of this.#heldAnswers.splice(0)) resume()
  }
}
