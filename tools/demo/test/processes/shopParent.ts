/** Opens the sample shop as `npm start` does, says where, and stays. */

import { Console, Effect } from "effect"
import * as ShopProcess from "../../src/ShopProcess.ts"

const dataDirectory = process.env.PAY_DATA ?? ""

ShopProcess.open({ gateway: "http://127.0.0.1:9", dataDirectory, port: 0, officePassword: "test" }).pipe(
  Effect.tap(Console.log),
  Effect.andThen(Effect.never),
  Effect.scoped,
  Effect.runFork
)
