/** `pay keys new --rsa`: creates two pairs of RSA keys on this machine, one for tests and one for production. Sends nothing. */
import { createHash, generateKeyPair } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"

const bits = 3072
const uses = ["test", "live"] as const

const generate = promisify(generateKeyPair)

/** Returns the SHA-256 of the public key (SubjectPublicKeyInfo), as `pay keys list` shows it. */
const fingerprintOf = (spki: Buffer): string =>
  `SHA256:${createHash("sha256").update(spki).digest("base64").replaceAll("=", "")}`

/** Writes a new file. An existing file is not changed, because it may be a key in use. */
const writeNew = async (path: string, text: string, mode: number): Promise<void> => {
  await writeFile(path, text, { flag: "wx", mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST")
      throw new UsageError(`${path} exists: move it, or name another folder with --out`, "keys")
    throw new UsageError(`${path} cannot be written (${error.code}): name another folder with --out`, "keys")
  })
}

const pairIn = async (folder: string, use: (typeof uses)[number]) => {
  const { privateKey, publicKey } = await generate("rsa", { modulusLength: bits })
  const privateKeyFile = join(folder, `pay-${use}-private.pem`)
  const publicKeyFile = join(folder, `pay-${use}-public.pem`)
  await writeNew(privateKeyFile, String(privateKey.export({ type: "pkcs8", format: "pem" })), 0o600)
  await writeNew(publicKeyFile, String(publicKey.export({ type: "spki", format: "pem" })), 0o644)
  return {
    use,
    privateKeyFile,
    publicKeyFile,
    fingerprint: fingerprintOf(publicKey.export({ type: "spki", format: "der" }))
  }
}

type Pair = Awaited<ReturnType<typeof pairIn>>

const text = (pairs: ReadonlyArray<Pair>): string =>
  [
    ...pairs.map(({ fingerprint, privateKeyFile, publicKeyFile, use }) =>
      [
        use === "test" ? "For the sandbox and for tests" : "For real money",
        Output.columns([
          ["private", `${privateKeyFile}  keep it: PAY_PRIVATE_KEY_FILE=${privateKeyFile}`],
          ["public", `${publicKeyFile}  give it to the gateway's operator`],
          ["fingerprint", fingerprint]
        ])
      ].join("\n")
    ),
    "Give your gateway's operator each public file and its fingerprint over two ways, for example a ticket and a call. The operator runs:\n" +
      `  pay keys add LOGIN --kind rsa --public-key-file ${pairs.at(-1)?.publicKeyFile}\n` +
      "  pay keys list LOGIN   shows the fingerprint of what the gateway has"
  ].join("\n\n")

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.keys, "keys")
  const foreign = [...given.flags.keys()].find((name) => !["rsa", "out", "json"].includes(name))
  if (foreign !== undefined) throw new UsageError(`--${foreign} is not for new`, "keys")
  if (given.operands.length > 0)
    throw new UsageError("pay keys new takes no names: give --rsa, and --out FOLDER", "keys")
  if (!given.flags.has("rsa"))
    throw new UsageError("Say --rsa: the gateway makes control keys itself (pay keys rotate)", "keys")
  const folder = given.flags.get("out") ?? "."
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const pairs: Array<Pair> = []
  for (const use of uses) pairs.push(await pairIn(folder, use))
  Output.print({ text: text(pairs), json: { bits, keys: pairs } }, given.flags.has("json"))
  return codes.ok
}
