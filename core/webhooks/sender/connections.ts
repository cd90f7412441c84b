/**
 * Connections that are kept open for a short time after a response, for the next message of the same webhook
 * (docs/decisions/a-connection-for-one-webhook.md).
 */
import { Agent, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SendAttempt } from './attempt.ts';
import { unexpectedFailure } from './failures.ts';

/**
 * How long an unused connection is kept: the next batch of a busy webhook comes sooner, and common servers wait longer.
 */
const keptMs = 1_000;
/** The maximum for all webhooks: a function may open 1 024 files. */
const mostKept = 200;

/** The connection that an attempt needs. */
export interface Wanted {
  /** The webhook of the connection. Absent: the connection is closed after one request. */
  readonly owner?: string | undefined;
  /** The addresses that were checked for this attempt. */
  readonly addresses: readonly string[];
  /** Opens a connection to one of these addresses. */
  readonly open: () => Promise<Socket>;
}

type Options = RequestOptions & { readonly wanted: Wanted };

/**
 * Node's HTTP agent, which only provides kept connections and never opens one: an attempt without a kept connection
 * opens its own.
 */
export class Connections extends Agent {
  readonly #attempts = new WeakMap<Duplex, SendAttempt>();

  constructor(keepAlive: boolean) {
    super({ keepAlive, timeout: keptMs });
  }

  /** The options of a request. Only connections to a current address of the host are found. */
  asWanted(wanted: Wanted): Options {
    const options = { agent: this, wanted };
    const idle = this.freeSockets[this.getName(options)] ?? [];
    // Node provides the last used connection, even a closed one; unneeded connections stay unused and close.
    for (let last = idle.at(-1); last && !isUsable(last, wanted); last = idle.at(-1)) {
      last.destroy();
      idle.pop();
    }
    return options;
  }

  /** From here on the connection is closed with the attempt, unless it is kept. */
  lend(socket: Socket, attempt: SendAttempt): void {
    this.#attempts.set(socket, attempt);
    attempt.hold(socket);
  }

  override getName(options?: RequestOptions): string {
    return String((options as Options).wanted.owner);
  }

  override createConnection(options: RequestOptions, done: (error: Error | null, stream: Duplex) => void): undefined {
    (options as Options).wanted.open().then(
      (socket) => done(null, socket),
      (error) => {
        const name = this.getName(options);
        // Node removes the name of a connection that closes, but not of one that was never opened.
        if (this.sockets[name]?.length === 0) Reflect.deleteProperty(this.sockets, name);
        done(unexpectedFailure(error), undefined as never);
      },
    );
  }

  /** Called when a response was read completely and neither side wants to close. */
  override keepSocketAlive(socket: Duplex): boolean {
    const isRoom = Object.values(this.freeSockets).flat().length < mostKept;
    // Node returns whether the receiver keeps the connection long enough; its types omit the result.
    const isKept = isRoom && Boolean(super.keepSocketAlive(socket) as unknown);
    if (isKept) this.#attempts.get(socket)?.letGo();
    return isKept;
  }
}

function isUsable({ destroyed, remoteAddress }: Socket, { addresses }: Wanted): boolean {
  return !destroyed && remoteAddress !== undefined && addresses.includes(remoteAddress);
}
