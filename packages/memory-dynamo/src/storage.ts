/** Tables, items and stream records in SQLite: in a file, from which the next run starts, or in memory. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Change, Table } from './table.ts';
import { type Item, stored } from './value.ts';
import { fromWireItem, toWireItem } from './wire.ts';

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, definition TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS items (name TEXT, key TEXT, item TEXT NOT NULL, PRIMARY KEY (name, key)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS records (
    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, at INTEGER NOT NULL, record TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS records_by_name ON records (name, number);
  CREATE INDEX IF NOT EXISTS records_by_time ON records (at);
`;

const statements = {
  tables: 'SELECT definition FROM tables',
  items: 'SELECT item FROM items WHERE name = ?',
  create: 'INSERT INTO tables VALUES (?, ?)',
  begin: 'BEGIN',
  put: 'INSERT OR REPLACE INTO items VALUES (?, ?, ?)',
  delete: 'DELETE FROM items WHERE name = ? AND key = ?',
  record: 'INSERT INTO records (name, at, record) VALUES (?, ?, ?)',
  trim: 'DELETE FROM records WHERE at < ?',
  commit: 'COMMIT',
  records: 'SELECT number, at, record FROM records WHERE name = ? AND number > ? ORDER BY number LIMIT ?',
  last: "SELECT seq FROM sqlite_sequence WHERE name = 'records'",
} as const;

/** The change of an item, and the content of its stream record, if the table has a stream. */
export interface StoredChange {
  readonly change: Change;
  readonly table: Table;
  readonly record?: object | undefined;
}

export interface NumberedRecord {
  readonly number: number;
  /** Seconds since 1970. */
  readonly at: number;
  readonly record: object;
}

/** Records are kept for a day, as in DynamoDB. */
const keptSeconds = 86_400;

export class Storage {
  readonly #database: DatabaseSync;
  readonly #run: Readonly<Record<keyof typeof statements, StatementSync>>;

  constructor(file = ':memory:') {
    this.#database = new DatabaseSync(file);
    this.#database.exec(schema);
    const prepared = Object.entries(statements).map(([name, sql]) => [name, this.#database.prepare(sql)]);
    this.#run = Object.fromEntries(prepared);
  }

  /** Returns the definitions of all tables, as they were created. */
  tables(): object[] {
    return this.#run.tables.all().map(({ definition }) => JSON.parse(String(definition)));
  }

  items(table: string): Item[] {
    // Updates may have nested the values deeper than one request can.
    const anyLevel = Number.POSITIVE_INFINITY;
    return this.#run.items.all(table).map(({ item }) => stored(fromWireItem(JSON.parse(String(item)), anyLevel)));
  }

  create(table: string, definition: object): void {
    this.#run.create.run(table, JSON.stringify(definition));
  }

  /** Stores all changes of a commit and their records. If it throws, the file cannot be written. */
  commit(changes: readonly StoredChange[]): void {
    const now = Math.floor(Date.now() / 1_000);
    // All texts are made before the transaction: an error while it is open would end the server at the next one.
    const rows = changes.flatMap(({ change: { table: name, before, after }, table, record }) => {
      const item = after ?? before;
      // A deletion of an item that does not exist.
      if (!item) return [];
      const key = JSON.stringify(table.keyOf(item));
      return { name, key, item: after && JSON.stringify(toWireItem(after)), record: record && JSON.stringify(record) };
    });
    this.#run.begin.run();
    for (const { name, key, item, record } of rows) {
      if (item) this.#run.put.run(name, key, item);
      else this.#run.delete.run(name, key);
      if (record) this.#run.record.run(name, now, record);
    }
    this.#run.trim.run(now - keptSeconds);
    this.#run.commit.run();
  }

  /** Returns the oldest records of a table with a higher number. */
  records(table: string, after: number, limit: number): NumberedRecord[] {
    return this.#run.records.all(table, after, limit).map(({ number, at, record }) => {
      return { number: Number(number), at: Number(at), record: JSON.parse(String(record)) };
    });
  }

  /** Returns the number of the newest record of all tables, even if it has been deleted. */
  get lastRecord(): number {
    return Number(this.#run.last.get()?.seq ?? 0);
  }

  close(): void {
    this.#database.close();
  }
}
