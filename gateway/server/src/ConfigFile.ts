/**
 * The schema of a gateway's configuration file, with a description of each name for the documentation. The defaults of settings
 * are in `Settings`.
 */
import * as Directory from "@pay/gateway/Directory"
import * as Settings from "@pay/gateway/Settings"
import * as Dialect from "@pay/schema/Dialect"
import { Port } from "@pay/schema/Port"
import { Effect, Schema, Struct } from "effect"
import * as SecondPersonLimits from "./SecondPersonLimits.ts"

const Milliseconds = Schema.Int.check(Schema.isGreaterThan(0)).annotate({ unit: "ms" })
const Count = Schema.Int.check(Schema.isGreaterThan(0))
const Text = Schema.String
const Token = Schema.RedactedFromValue(Schema.String.check(Schema.isMinLength(16)), { label: "operator token" })
const Ranges = Schema.Array(Schema.String)

const Secret = Schema.RedactedFromValue(Schema.String, { label: "database URL" })

const Database = Schema.Struct({
  url: Secret.annotate({
    description:
      "`postgres://USER@HOST:PORT/DATABASE`: the database of the store, which any number of gateways can share; several hosts, separated by commas, are tried in turn; `sslmode`, `sslrootcert` and `pgbouncer=true` are parameters",
    environment: "PAY_DATABASE_URL"
  }),
  passwordFile: Schema.optionalKey(
    Text.annotate({
      description: "file of the database's password, read again at each connection",
      environment: "PAY_DATABASE_PASSWORD_FILE"
    })
  ),
  writers: Schema.optionalKey(
    Count.annotate({
      description: "connections that commit; each has one batch at a time",
      unit: "count",
      environment: "PAY_DATABASE_WRITERS",
      fallback: "2"
    })
  ),
  readers: Schema.optionalKey(
    Count.annotate({
      description: "connections that read; each has many statements at a time",
      unit: "count",
      environment: "PAY_DATABASE_READERS",
      fallback: "2"
    })
  ),
  statementTimeoutMs: Schema.optionalKey(
    Milliseconds.annotate({
      description: "time after which the gateway gives up a statement without an answer",
      environment: "PAY_DATABASE_STATEMENT_TIMEOUT_MS",
      fallback: "10000"
    })
  )
})

export const Listen = Schema.Struct({
  host: Text.annotate({
    description: "the address on which it listens",
    environment: "PAY_HOST",
    fallback: "127.0.0.1"
  }).pipe(Schema.withConstructorDefault(Effect.succeed("127.0.0.1"))),
  port: Port.annotate({
    description: "the port on which it listens; 0: any free one",
    environment: "PAY_PORT",
    fallback: "8080"
  }).pipe(Schema.withConstructorDefault(Effect.succeed(8080))),
  drainMs: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description:
      "how long requests are still taken after the signal to stop, while `/readyz` answers 503; longer than your load balancer takes to notice it",
    unit: "ms",
    fallback: "10000; sandbox: 0"
  })
})

const Callbacks = Schema.Struct({
  allowRanges: Schema.optionalKey(
    Ranges.annotate({ description: "CIDR ranges that callbacks may reach although they are not public" })
  ),
  anyPortRanges: Schema.optionalKey(Ranges.annotate({ description: "CIDR ranges where they may use any port" })),
  ports: Schema.optionalKey(
    Schema.Array(Port).annotate({ description: "ports that they may use", fallback: "80, 443, 8080, 8443" })
  )
})

const Operator = Schema.Struct({
  host: Schema.optionalKey(
    Text.annotate({
      description:
        "the address on which it listens for operators: `/operator/…` and `/metrics` are served only there; from elsewhere, only operators with a token are answered",
      environment: "PAY_OPERATOR_HOST",
      fallback: "127.0.0.1"
    })
  ),
  port: Schema.optionalKey(
    Port.annotate({
      description: "the port on which it listens for operators; 0: any free one",
      environment: "PAY_OPERATOR_PORT",
      fallback: "one above `listen.port`: 8081; 0 if that is 0"
    })
  ),
  token: Schema.optionalKey(
    Token.annotate({
      description:
        "the token of the first operator, `operator`, who may do everything and adds the others (`pay operator add`); at least 16 characters",
      environment: "PAY_OPERATOR_TOKEN"
    })
  ),
  twoStep: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "whether operators who have not enrolled in the two-step sign-in (`pay operator enrol`) may only look; who has enrolled needs a code in any case",
      fallback: "false"
    })
  ),
  secondPerson: Schema.optionalKey(
    SecondPersonLimits.Setting.annotate({
      description: `commands whose changes a second operator confirms (\`pay proposals\`): 0 for always, or by currency the amount above which they do, and always in other currencies; ${SecondPersonLimits.commands.map((command) => `\`${command}\``).join(", ")}`
    })
  )
})

const Notifications = Schema.Struct({
  host: Schema.optionalKey(
    Text.annotate({
      description:
        "the address on which it listens for the notifications of banks, if an adapter takes any: `/notifications/acquirer` is served only there",
      environment: "PAY_NOTIFICATION_HOST",
      fallback: "127.0.0.1"
    })
  ),
  port: Schema.optionalKey(
    Port.annotate({
      description: "the port on which it listens for the notifications of banks; 0: any free one",
      environment: "PAY_NOTIFICATION_PORT",
      fallback: "two above `listen.port`: 8082; 0 if that is 0"
    })
  )
})

/** The optional parts of the configuration: all except the merchants. */
const parts = {
  listen: Schema.optionalKey(Listen.mapFields(Struct.map(Schema.optionalKey))),
  publicBaseUrl: Schema.optionalKey(
    Text.annotate({
      description:
        "the address at which merchants reach the gateway; OAuth signatures cover it, and the `Host` header never counts",
      environment: "PAY_PUBLIC_BASE_URL",
      fallback: "where it listens; production needs it, with https"
    })
  ),
  dialects: Schema.optionalKey(
    Schema.Array(Schema.Literals(Dialect.all)).check(Schema.isMinLength(1)).annotate({
      description: "`pairs`: endpoints may have the older dialect; `json` must be in the list",
      environment: "PAY_DIALECTS",
      fallback: "json; sandbox: json, pairs"
    })
  ),
  trustedProxies: Schema.optionalKey(
    Ranges.annotate({ description: "CIDR ranges of your own proxies; the gateway believes their `X-Forwarded-For`" })
  ),
  dataDirectory: Schema.optionalKey(
    Text.annotate({
      description: "folder of the database and the short-lived keys",
      environment: "PAY_DATA",
      fallback: ".data/gateway"
    })
  ),
  database: Schema.optionalKey(Database),
  witness: Schema.optionalKey(
    Text.annotate({
      description:
        "file with the number of the last commit; put it on another disk; the gateway does not start on a store that is behind it; for a database the default is `postgres.witness`",
      environment: "PAY_WITNESS",
      fallback: "`store.witness` in `dataDirectory`"
    })
  ),
  reserveBytes: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description:
        "room that the store keeps on the disk of `dataDirectory`, at most a tenth of the disk: when the disk is full, new orders are refused, and those that exist are finished with it; 0: none; not used with a database",
      unit: "bytes",
      environment: "PAY_RESERVE_BYTES",
      fallback: "33554432; sandbox: 4194304"
    })
  ),
  keyRing: Schema.optionalKey(
    Text.annotate({
      description:
        "file of the key ring, outside `dataDirectory`; production needs it, or `PAY_MASTER_KEY` and `PAY_HASHING_KEY`",
      environment: "PAY_KEY_RING",
      fallback: "sandbox: `keys.json` in `dataDirectory`, made when it is missing"
    })
  ),
  adapters: Schema.optionalKey(
    Text.annotate({
      description:
        "the module that connects your banks, in a sandbox instead of the simulated ones; the path is relative to this file",
      environment: "PAY_ADAPTERS"
    })
  ),
  sandboxWorld: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter(
        (text) =>
          (/^http:\/\/(127\.0\.0\.1|localhost):\d{1,5}$/.test(text) && URL.canParse(text)) ||
          "must be the address of a bank world on this machine, as http://127.0.0.1:8090 is one"
      )
    ).annotate({
      description: "sandbox only: the address of a process that simulates the bank for several gateways",
      environment: "PAY_SANDBOX_WORLD",
      fallback: "a world of its own, in this process"
    })
  ),
  logLevel: Schema.optionalKey(
    Schema.Literals(["debug", "info", "warning", "error"]).annotate({
      description: "the lowest level that is logged; [operating.md](monitoring.md#the-log) says what each contains",
      environment: "PAY_LOG_LEVEL",
      fallback: "info"
    })
  ),
  callbacks: Schema.optionalKey(Callbacks),
  operator: Schema.optionalKey(Operator),
  notifications: Schema.optionalKey(Notifications),
  limits: Schema.optionalKey(Settings.Limits.mapFields(Struct.map(Schema.optionalKey))),
  orders: Schema.optionalKey(Settings.Orders.mapFields(Struct.map(Schema.optionalKey))),
  hostedPages: Schema.optionalKey(Settings.HostedPages.mapFields(Struct.map(Schema.optionalKey))),
  jobs: Schema.optionalKey(Settings.Scheduler.mapFields(Struct.map(Schema.optionalKey))),
  tracing: Schema.optionalKey(Settings.Tracing.mapFields(Struct.map(Schema.optionalKey)))
}

export const File = Schema.Struct({ merchants: Directory.Config, ...parts })
export type File = typeof File.Type

/** The configuration with optional merchants. It applies if there is no file and only the environment sets values. */
export const WithoutMerchants = Schema.Struct({ merchants: Schema.optionalKey(Directory.Config), ...parts })
