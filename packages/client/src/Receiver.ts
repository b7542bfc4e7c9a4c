/**
 * Receives callbacks without a client: for a program that verifies them and passes them on, such as a function of a cloud. It is small,
 * and needs no address of the gateway.
 *
 * @module
 */
import "./OldNode.ts"
import * as Callbacks from "./Callbacks.ts"
import type { ClientOptions, ReceivedRequest, VerifiedCallback } from "./contract/Client.ts"
import * as Keys from "./Keys.ts"

export type { ReceivedRequest, VerifiedCallback } from "./contract/Client.ts"
export { CallbackRefusedError, InvalidInputError, InvalidSettingError, PayError } from "./Errors.ts"

/** The keys with which callbacks may be signed, as in the options of the client. */
export type ReceiverOptions = Pick<ClientOptions, "controlKey" | "previousControlKey">

/** Verifies callbacks as `callbacks` of the client does. */
export interface Receiver {
  /**
   * Verifies a callback and returns its order. Throws `CallbackRefusedError` if the callback is not from the gateway. `body` is
   * the body of a POST as it was received, if the request does not have it as text or bytes.
   */
  readonly verify: (request: ReceivedRequest | string | URL, body?: string | Uint8Array) => VerifiedCallback
}

/**
 * Makes a receiver of callbacks. It throws `InvalidSettingError` if a key is wrong.
 *
 * @example
 * import { receiver } from "@pay/client/callbacks"
 *
 * const callbacks = receiver({ controlKey: process.env.PAY_CONTROL_KEY })
 * const { clientOrderId } = callbacks.verify(request, await request.text())
 */
export const receiver = (options: ReceiverOptions): Receiver => {
  const names = ["controlKey", "previousControlKey"]
  const controlKeys = Keys.controlKeys(Keys.optionsOf(options, names, "need controlKey"))
  return { verify: (request, body) => Callbacks.verify(request, body, controlKeys()) }
}
