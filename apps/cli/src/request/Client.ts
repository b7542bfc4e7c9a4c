/** Provides the signing client with settings from flags and the environment. */
import * as ClientOptions from "@pay/transport/ClientOptions"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { ConfigProvider, Effect, Layer, Struct } from "effect"
import type { Given } from "../command/Flags.ts"
import { variables } from "../terminal/Environment.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Credentials from "./Credentials.ts"

/** The settings that flags replace. */
export const settings = ["base-url", "login", "endpoint-id", "private-key-file", "control-amount", "gateway-profile"]

type ClientLayer = Layer.Layer<PayClient.PayClient, PayClient.InvalidSetting>

/** Provides the client. Flags override the environment. */
export const layer = async (given: Given): Promise<ClientLayer> =>
  PayClient.layerConfig.pipe(Layer.provide(ConfigProvider.layer(await configuration(given))))

const ofConnection = ["certificateAuthority", "clientCertificate", "proxy"] as const

/** Provides the client on a wire that is made with the settings of the connection. */
const layerOver = async <E>(
  given: Given,
  wireOf: (options: Wire.UndiciOptions) => Layer.Layer<Wire.Wire, E>
): Promise<Layer.Layer<PayClient.PayClient, PayClient.InvalidSetting | E>> =>
  Layer.unwrap(
    Effect.map(ClientOptions.fromConfig, (options) =>
      Layer.provide(
        PayClient.layerNoDeps(Struct.omit(options, ofConnection)),
        wireOf(Struct.pick(options, ofConnection))
      )
    )
  ).pipe(Layer.provide(ConfigProvider.layer(await configuration(given))))

/** Provides the client on a different wire. Settings of the connection have no effect. */
export const layerOn = (given: Given, wire: Layer.Layer<Wire.Wire>): Promise<ClientLayer> =>
  layerOver(given, () => wire)

/** Provides the client, and passes each answer to an observer as it was received. */
export const layerObserved = (given: Given, onAnswer: (answer: Wire.WireAnswer) => void): Promise<ClientLayer> => {
  const observed = (wire: Wire.Wire["Service"]) =>
    Wire.Wire.of({ send: (request) => Effect.tap(wire.send(request), (answer) => Effect.sync(() => onAnswer(answer))) })
  const layer = Layer.effect(Wire.Wire, Effect.map(Wire.Wire, observed))
  return layerOver(given, (connecting) => Layer.provide(layer, Wire.layerUndici(connecting)))
}

const configuration = async (given: Given): Promise<ConfigProvider.ConfigProvider> => {
  const flags = settings.flatMap((flag) => {
    const value = given.flags.get(flag)
    return value === undefined ? [] : [[Credentials.variableOf(flag), value] as const]
  })
  const controlKey = await Credentials.findControlKey(given)
  const environment = {
    ...variables(),
    ...Object.fromEntries(flags),
    ...(controlKey === undefined ? {} : { PAY_CONTROL_KEY: controlKey }),
    ...timeouts(given.flags.get("timeout"))
  }
  return ConfigProvider.fromEnvRecord(environment)
}

const timeouts = (seconds: string | undefined): Readonly<Record<string, string>> => {
  if (seconds === undefined) return {}
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(seconds)) throw new UsageError("--timeout is a number of seconds")
  return { PAY_TIMEOUT: `${seconds} seconds`, PAY_READ_TIMEOUT: `${seconds} seconds` }
}
