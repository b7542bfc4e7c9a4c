/** The proxy in front of the gateways: nginx, which terminates TLS. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import * as DrillPrograms from "../../scripts/DrillPrograms.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as ServerAccount from "../postgres/ServerAccount.ts"
import * as Machine from "./Machine.ts"

const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] as const

const configuration = (folder: string, port: number, gateways: ReadonlyArray<number>): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  upstream gateways {
    ${gateways.map((gateway) => `server 127.0.0.1:${gateway} max_fails=1 fail_timeout=2s;`).join("\n    ")}
    keepalive 32;
    keepalive_timeout 60s;
  }
  server {
    listen 127.0.0.1:${port} ssl;
    server_name ${Machine.hosts.gateway};
    ssl_certificate ${folder}/certificate.pem;
    ssl_certificate_key ${folder}/certificate.key;
    location / {
      proxy_pass http://gateways;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_connect_timeout 2s;
      proxy_read_timeout 60s;
    }
  }
}
`

/** Starts nginx on the port. Returns the lines that it logged. */
export const start = Effect.fnUntraced(function* (
  { certificate, key }: { readonly certificate: string; readonly key: string },
  port: number,
  gateways: ReadonlyArray<number>
) {
  const folder = yield* ServerAccount.folder
  for (const name of temporary) {
    mkdirSync(join(folder, name))
    ServerAccount.give(join(folder, name))
  }
  ServerAccount.writeSecret(join(folder, "certificate.pem"), certificate)
  ServerAccount.writeSecret(join(folder, "certificate.key"), key)
  writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, gateways))
  const lines: Array<string> = []
  const child = yield* Effect.acquireRelease(
    ChildProcess.launch<void>({
      program: yield* Effect.orDie(Effect.fromNullishOr(DrillPrograms.find("nginx"))),
      args: ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"],
      place: { ...ServerAccount.account, cwd: folder },
      ready: () => undefined,
      onLine: (line) => void lines.push(line)
    }),
    // SIGTERM ends its workers too.
    ({ ended, signal }) => Effect.andThen(signal("SIGTERM"), ended)
  )
  return { lines, isUp: () => !child.isOver() }
})
