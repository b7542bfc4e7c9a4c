/**
 * The machine on which a drill runs: the folder with its certificates, its hosts file and its file of name servers. The drill's own
 * processes see these files in the place of the machine's, in a mount namespace that ends with them.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { identity } from "../../gateway/gateway/test/threeds/Certificates.ts"

export const hosts = {
  /** The address at which merchants reach the gateways: nginx. */
  gateway: "pay.drill.example",
  /** The merchants' servers, by their logins. */
  shops: { anvil: "anvil.drill.example", bellows: "bellows.drill.example" }
} as const

export type Login = keyof typeof hosts.shops
export const logins = ["anvil", "bellows"] as const satisfies ReadonlyArray<Login>

/** Name servers of the drill. The second one is for a machine whose file changes. */
export const nameServers = ["127.0.53.1", "127.0.53.2"] as const

/** The setting with the folder, for the process inside. */
export const setting = "PAY_DRILL_FOLDER"

export const paths = (folder: string) => ({
  authority: join(folder, "authority.pem"),
  certificate: (host: string) => join(folder, `${host}.pem`),
  key: (host: string) => join(folder, `${host}.key`),
  hosts: join(folder, "hosts"),
  resolver: join(folder, "resolv.conf")
})

const dayMs = 86_400_000

export const pointTo = (folder: string, nameServer: string): void =>
  writeFileSync(paths(folder).resolver, `nameserver ${nameServer}\noptions timeout:1 attempts:1\n`)

/** Writes the files. */
export const prepare = (folder: string): void => {
  const path = paths(folder)
  const validity = { fromMs: Date.now() - dayMs, untilMs: Date.now() + dayMs }
  const authority = identity("authority of the drill", { ...validity, ca: true })
  writeFileSync(path.authority, authority.certificate.toString())
  for (const host of [hosts.gateway, ...Object.values(hosts.shops)]) {
    const { certificate, key } = identity(host, { ...validity, by: authority })
    writeFileSync(path.certificate(host), certificate.toString())
    writeFileSync(path.key(host), key.export({ type: "pkcs8", format: "pem" }).toString())
  }
  writeFileSync(path.hosts, `127.0.0.1 localhost ${hosts.gateway}\n::1 localhost\n`)
  pointTo(folder, nameServers[0])
}

/** Mounts a disk in memory, which only the processes of the drill see, below this folder. Returns its own folder. */
export const mountDisk = (folder: string, megabytes: number): string => {
  const disk = join(folder, "disk")
  mkdirSync(disk)
  const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "tmpfs", disk])
  if (status !== 0) throw new Error(`no disk can be mounted: ${stderr}`)
  return disk
}

/** Runs the program on the prepared machine to its end. A signal to this process ends it. */
export const run = (folder: string, program: string, args: ReadonlyArray<string>) =>
  Effect.callback<number>((resume) => {
    const { authority, hosts, resolver } = paths(folder)
    const script = `mount --bind "$0" /etc/hosts && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"`
    const command = ["--mount", "sh", "-c", script, hosts, resolver, process.execPath, program, ...args]
    const child = spawn("unshare", command, {
      stdio: ["pipe", "inherit", "inherit"],
      env: { ...process.env, NODE_EXTRA_CA_CERTS: authority, [setting]: folder }
    })
    child.on("error", (error) => resume(Effect.die(error)))
    child.on("exit", (code) => resume(Effect.succeed(code ?? 1)))
    return Effect.callback<void>((ended) => {
      child.on("exit", () => ended(Effect.void))
      child.kill("SIGTERM")
    })
  })
