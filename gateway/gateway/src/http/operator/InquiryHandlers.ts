/** Handles operations that have bank and rail asked at once. */
import { Effect } from "effect"
import * as InquireNow from "../../reconciliation/InquireNow.ts"
import { conflict, type Handlers } from "./OperatorHandler.ts"

export const make = Effect.map(
  InquireNow.make,
  ({ ofOrder, ofUnknown }): Pick<Handlers, "inquireOrder" | "inquireUnknown"> => ({
    inquireOrder: ({ order }, actor) =>
      Effect.flatMap(ofOrder(order, actor), (inquired) =>
        inquired === undefined
          ? conflict("there is no such order, or none of its requests is open: nothing is left to ask")
          : Effect.succeed(inquired)
      ),
    inquireUnknown: ({ after }, actor) => ofUnknown(after, actor)
  })
)
