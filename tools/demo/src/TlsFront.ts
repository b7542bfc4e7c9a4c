/** Serves a gateway by https on this machine, with a certificate that this program makes. What it decrypts, it passes on unread. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { join, resolve } from "node:path"
import { createServer } from "node:tls"
import { Effect, Schema } from "effect"

export class TlsFrontError extends Schema.TaggedError<TlsFrontError>()("TlsFrontError", { message: Schema.String }) {}

const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]

/** Returns the files of the certificate and its key, which are made once for a data folder. */
const certificate = Effect.fnUntraced(function* (dataDirectory: string) {
  const folder = resolve(dataDirectory, "tls")
  const files = { certificateFile: join(folder, "certificate.pem"), keyFile: join(folder, "key.pem") }
  if (existsSync(files.certificateFile)) return files
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const out = ["-keyout", files.keyFile, "-out", files.certificateFile]
  const made = spawnSync("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "365",
    ...subject,
    ...out
  ])
  return made.status === 0
    ? files
    : yield* new TlsFrontError({ message: "a certificate could not be made; install the program openssl" })
})

const hint = (port: number): string =>
  port < 1024
    ? "; ports below 1024 are for root, or for every user after: sysctl net.ipv4.ip_unprivileged_port_start=443"
    : ""

/** Listens until the scope ends. Returns the file of the certificate, which a client has to trust. */
export const open = Effect.fnUntraced(function* (options: {
  readonly dataDirectory: string
  readonly port: number
  readonly gatewayPort: number
}) {
  const { certificateFile, keyFile } = yield* certificate(options.dataDirectory)
  const pem = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) }
  const server = createServer(pem, (client) => {
    const gateway = connect(options.gatewayPort, "127.0.0.1")
    client.pipe(gateway).pipe(client)
    for (const [socket, other] of [[client, gateway] as const, [gateway, client] as const])
      socket.on("error", () => other.destroy()).on("close", () => other.destroy())
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => void server.close()))
  yield* Effect.callback<void, TlsFrontError>((resume) => {
    server.once("error", ({ message }) =>
      resume(
        Effect.fail(
          new TlsFrontError({ message: `https needs port ${options.port} (${message})${hint(options.port)}` })
        )
      )
    )
    server.listen(options.port, "127.0.0.1", () => resume(Effect.void))
  })
  return certificateFile
})
