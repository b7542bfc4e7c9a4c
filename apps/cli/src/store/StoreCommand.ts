/** The description and the flags of `pay store`. */
import type { Command } from "../command/Command.ts"
import { json } from "../command/SettingFlags.ts"

export const store = {
  usage:
    "pay store check [FILE | --database-url URL]\n       pay store migrate --database-url URL [--run-as ROLE]\n       pay store move --from FILE --to URL\n       pay store reopen [FILE] [--unused]",
  summary: "Check a gateway's store, make its schema in PostgreSQL, or move it there.",
  about:
    "A store is a file, gateway.db, or a PostgreSQL database. check verifies the schema, its triggers and rights, the rows, the books and the witness. It may run beside a gateway. migrate makes or changes the schema as the role that owns it, and gives the role that runs the gateway its rights. move copies every row of a file to a database, compares all of them, and recomputes the books. It marks the file, so that no gateway starts on it. To continue an interrupted move, run the same command again. reopen removes the mark. A database is not moved to a file. An address is postgres://USER@HOST:PORT/DATABASE, without a password. The password comes from --password-file or PAY_DATABASE_URL. PAY_DATABASE_URL also replaces an address that you leave out. Ends with 1 if something is wrong or was refused, and with 3 if the server cannot be reached.",
  flags: {
    "database-url": { value: "URL", about: "The database of the store (PAY_DATABASE_URL)." },
    "password-file": { value: "FILE", about: "The file of the database's password (PAY_DATABASE_PASSWORD_FILE)." },
    from: { value: "FILE", about: "For move: the file of the present store." },
    to: { value: "URL", about: "For move: the database, in which there is no store yet (PAY_DATABASE_URL)." },
    "run-as": { value: "ROLE", about: "For migrate: the role that runs the gateway; it can change no table." },
    unused: { about: "For reopen: no gateway has ever started on the database, so nothing was accepted there." },
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
