/** The simulated bank as the module of an operator: the same answers, without what only a simulator may declare. */
import { Acquirer } from "@pay/gateway/Acquirer"
import { BankBooks, RailBooks } from "@pay/gateway/BankBooks"
import { PayoutRail } from "@pay/gateway/PayoutRail"
import { ThreeDSServer } from "@pay/gateway/ThreeDSServer"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import type { Adapters } from "@pay/server/Adapters"
import { Context, Effect, Layer, Scope } from "effect"

/** Makes the adapters. Nothing ends the simulated bank but the end of the process. */
const make = async (): Promise<Adapters> => {
  const world = await Effect.runPromise(Layer.buildWithScope(SandboxWorld.layer(), Scope.makeUnsafe()))
  const { capabilities: bank, ...acquirer } = Context.get(world, Acquirer)
  const { capabilities: rail, ...payoutRail } = Context.get(world, PayoutRail)
  const { capabilities: server, ...threeDSServer } = Context.get(world, ThreeDSServer)
  const { simulated: _, ...ofBank } = bank
  const { simulated: __, ...ofRail } = rail
  const { hints: ___, simulated: ____, ...ofServer } = server
  return {
    acquirer: { ...acquirer, capabilities: ofBank },
    bankBooks: Context.get(world, BankBooks),
    payoutRail: { ...payoutRail, capabilities: ofRail },
    railBooks: Context.get(world, RailBooks),
    threeDSServer: { ...threeDSServer, capabilities: ofServer }
  }
}

export default make
