/**
 * The ports of a bank world in another process: the name under which each port is served, and the failure of a call whose
 * connection was lost. The methods are those of the ports' shapes.
 */
import * as Acquirer from "@pay/gateway/Acquirer"
import * as BankBooks from "@pay/gateway/BankBooks"
import { BooksUnavailable } from "@pay/gateway/BankBooks"
import { PortShape } from "@pay/gateway/Gateway"
import * as PayoutRail from "@pay/gateway/PayoutRail"
import * as ThreeDSServer from "@pay/gateway/ThreeDSServer"
import { type Context, Schema } from "effect"
import * as WorldClock from "./WorldClock.ts"

/** Whether a lost request may have reached the world: `AnswerLost` if it may. */
export type Loss = "NotSent" | "AnswerLost"

type Parts = Readonly<Record<string, PortShape.Part<unknown>>>

/** One port, with its name on the wire and the failure of a lost call. */
export interface ServedPort<Id, Port, Adapter, Failure> {
  readonly name: string
  readonly service: Context.Key<Id, Port>
  readonly shape: Readonly<Record<"methods" | "capabilities", Parts>>
  readonly failure: Schema.Codec<Failure, unknown>
  readonly lost: (loss: Loss, message: string) => Failure
  /** Returns the port whose answers are decoded. */
  readonly checked: (adapter: Adapter) => Port
}

const reason = (loss: Loss, message: string) =>
  loss === "NotSent" ? new Acquirer.NotSent({ message }) : new Acquirer.AnswerLost({ message })

const booksFailure = {
  failure: Schema.toCodecJson(BooksUnavailable),
  lost: (_: Loss, message: string) => new BooksUnavailable({ message })
}

export const acquirer = {
  name: "acquirer",
  service: Acquirer.Acquirer,
  checked: Acquirer.Acquirer.checked,
  shape: Acquirer.shape,
  failure: Schema.toCodecJson(Acquirer.AcquirerError),
  lost: (loss: Loss, message: string) => new Acquirer.AcquirerError({ reason: reason(loss, message) })
}

export const payoutRail = {
  name: "payoutRail",
  service: PayoutRail.PayoutRail,
  checked: PayoutRail.PayoutRail.checked,
  shape: PayoutRail.shape,
  failure: Schema.toCodecJson(PayoutRail.RailError),
  lost: (loss: Loss, message: string) => new PayoutRail.RailError({ reason: reason(loss, message) })
}

export const threeDSServer = {
  name: "threeDSServer",
  service: ThreeDSServer.ThreeDSServer,
  checked: ThreeDSServer.ThreeDSServer.checked,
  shape: ThreeDSServer.shape,
  failure: Schema.toCodecJson(ThreeDSServer.ThreeDSServerError),
  lost: (_: Loss, message: string) => new ThreeDSServer.ThreeDSServerError({ message })
}

export const bankBooks = {
  name: "bankBooks",
  service: BankBooks.BankBooks,
  checked: BankBooks.BankBooks.checked,
  shape: BankBooks.shape,
  ...booksFailure
}

export const railBooks = {
  name: "railBooks",
  service: BankBooks.RailBooks,
  checked: BankBooks.RailBooks.checked,
  shape: BankBooks.railShape,
  ...booksFailure
}

export const worldClock = {
  name: "clock",
  service: WorldClock.WorldClock,
  checked: (clock: WorldClock.WorldClock["Service"]) => clock,
  shape: WorldClock.shape,
  failure: Schema.toCodecJson(WorldClock.WorldClockError),
  lost: (_: Loss, message: string) => new WorldClock.WorldClockError({ message })
}

/** Returns whether the value has the port's methods and capabilities. Parts that only simulators have are not required. */
export const isAdapter = <Id, Port, Adapter, Failure>(
  { shape }: ServedPort<Id, Port, Adapter, Failure>,
  value: unknown
): value is Adapter => {
  const fits = (of: unknown, parts: Parts): boolean =>
    Object.entries(parts).every(
      ([name, part]) => part === PortShape.simulatorOnly || part.is(Reflect.get(Object(of), name))
    )
  return fits(value, shape.methods) && fits(Reflect.get(Object(value), "capabilities"), shape.capabilities)
}
