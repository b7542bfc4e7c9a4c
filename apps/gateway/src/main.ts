/**
 * The gateway as a process, with a simulated bank world behind it; everything is kept in one folder. SIGINT or SIGTERM
 * stops it: no new connections, requests under way answered, claimed work finished.
 *
 * `PAY_CONFIG` names a configuration file, whose merchants replace the sandbox's own; docs/configuration.md has every name.
 */
import * as SandboxProcess from "@pay/server/SandboxProcess"
import * as Running from "./Running.ts"

Running.main((start) => SandboxProcess.run(Running.ready, start))
