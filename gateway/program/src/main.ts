/**
 * The gateway as a process, with a simulated bank. All of its files are in one folder. SIGINT or SIGTERM stops the gateway: it
 * accepts no new connections, answers the requests under way, and finishes the jobs that it has claimed.
 *
 * `PAY_CONFIG` names a configuration file, whose merchants replace those of the sandbox. docs/operators/configuration.md lists all
 * variables.
 */
import * as SandboxProcess from "@pay/server/SandboxProcess"
import * as Running from "./Running.ts"

Running.main((start) => SandboxProcess.run(Running.ready, start))
