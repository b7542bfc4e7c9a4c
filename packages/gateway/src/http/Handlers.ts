/** What the gateway serves: a handler for each operation that is built, by the operation's name. */
import { Context, Effect, Layer } from "effect"
import * as ActOnOrder from "../usecases/ActOnOrder.ts"
import * as AnswerStatus from "../usecases/AnswerStatus.ts"
import * as CreateOrder from "../usecases/CreateOrder.ts"
import * as OrderLocks from "../usecases/OrderLocks.ts"
import type { Handler } from "./Call.ts"

export class Handlers extends Context.Service<Handlers, ReadonlyMap<string, Handler>>()("@pay/gateway/Handlers") {}

export const layer = Layer.effect(
  Handlers,
  Effect.gen(function* () {
    const locks = OrderLocks.make()
    const handlers = yield* Effect.all([
      CreateOrder.make("sale"),
      CreateOrder.make("preauth"),
      ActOnOrder.make("CAPTURE", locks),
      ActOnOrder.make("VOID", locks),
      ActOnOrder.make("RETURN", locks),
      AnswerStatus.make
    ])
    return new Map(handlers.map((handler) => [handler.operation.name, handler]))
  })
)
