/** The description and the flags of `pay store`. */
import type { Command } from "./Command.ts"
import { json } from "./SettingFlags.ts"

export const store = {
  usage:
    "pay store check [FILE | --database-url URL]\n       pay store migrate --database-url URL [--run-as ROLE]\n       pay store move --from FILE --to URL\n       pay store move --from URL --to FILE\n       pay store reopen [FILE | --database-url URL] [--unused]",
  summary: "Check a gateway's store, make its schema in PostgreSQL, or move it to the other engine.",
  about:
    "A store is a file, gateway.db, or a PostgreSQL database. check verifies the schema, its triggers and rights, the rows, the books and the witness. It may run beside a gateway. migrate makes or changes the schema as the role that owns it, and gives the role that runs the gateway its rights. move copies every row to a new store, compares all of them, and recomputes the books. It marks the source, so that no gateway starts on it. To continue an interrupted move, run the same command again. reopen removes the mark. An address is postgres://USER@HOST:PORT/DATABASE, without a password. The password comes from --password-file or PAY_DATABASE_URL. PAY_DATABASE_URL also replaces an address that you leave out. Ends with 1 if something is wrong or was refused, and with 3 if the server cannot be reached.",
  flags: {
    "database-url": { value: "URL", about: "The database of the store (PAY_DATABASE_URL)." },
    "password-file": { value: "FILE", about: "The file of the database's password (PAY_DATABASE_PASSWORD_FILE)." },
    from: { value: "FILE|URL", about: "For move: the present store (PAY_DATABASE_URL)." },
    to: { value: "FILE|URL", about: "For move: the new store, which must not exist yet (PAY_DATABASE_URL)." },
    "run-as": { value: "ROLE", about: "For migrate: the role that runs the gateway; it can change no table." },
    unused: { about: "For reopen: no gateway has ever started on the new store, so nothing was accepted there." },
    witness: {
      value: "FILE",
      about:
        "The file with the number of the store's last commit; store.witness beside a file, none for a database (PAY_WITNESS)."
    },
    ...json
  },
  examples: [
    "pay store check /var/lib/pay/gateway.db",
    "pay store migrate --database-url postgres://pay_owner@db.internal/pay --password-file owner.password --run-as pay_run",
    "pay store move --from /var/lib/pay/gateway.db --to postgres://pay_owner@db.internal/pay --password-file owner.password"
  ]
} satisfies Command
