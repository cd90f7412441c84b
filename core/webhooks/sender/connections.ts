/**
 * Connections that stay open for a moment after an answer, for the next message of the same webhook
 * (docs/decisions/a-connection-for-one-webhook.md).
 */
import { Agent, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SendAttempt } from './attempt.ts';
import { unexpectedFailure } from './failures.ts';

/** How long one waits unused: a busy webhook's next batch comes sooner, and servers in wide use wait longer. */
const keptMs = 1_000;
/** Of all webhooks together: a function has 1 024 files. */
const mostKept = 200;

/** What an attempt asks of a connection. */
export interface Wanted {
  /** Whose it is. Absent: it is for one request, and closed after it. */
  readonly owner?: string | undefined;
  /** Those that were checked for this attempt. */
  readonly addresses: readonly string[];
  /** Opens one to one of them. */
  readonly open: () => Promise<Socket>;
}

type Options = RequestOptions & { readonly wanted: Wanted };

/** Node's agent, which itself dials nobody: what is kept is handed out, and else the attempt opens its own. */
export class Connections extends Agent {
  readonly #attempts = new WeakMap<Duplex, SendAttempt>();

  constructor(keepAlive: boolean) {
    super({ keepAlive, timeout: keptMs });
  }

  /** The options of a request, which finds nothing that leads to an address its host no longer has. */
  asWanted(wanted: Wanted): Options {
    const options = { agent: this, wanted };
    const kept = this.freeSockets[this.getName(options)] ?? [];
    // Node hands out the last one, also a closed one; those that a burst has left are used no more and close.
    for (let last = kept.at(-1); last && !isFit(last, wanted); last = kept.at(-1)) {
      last.destroy();
      kept.pop();
    }
    return options;
  }

  /** From here the connection ends with this attempt, unless it is kept. */
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
        // Node forgets the name of a connection that closes, but not of one that never was.
        if (this.sockets[name]?.length === 0) Reflect.deleteProperty(this.sockets, name);
        done(unexpectedFailure(error), undefined as never);
      },
    );
  }

  /** Asked once an answer has been read to its end and neither side wants to close. */
  override keepSocketAlive(socket: Duplex): boolean {
    const isRoom = Object.values(this.freeSockets).flat().length < mostKept;
    // Node returns whether the receiver waits long enough, which its types do not say.
    const isKept = isRoom && Boolean(super.keepSocketAlive(socket) as unknown);
    if (isKept) this.#attempts.get(socket)?.letGo();
    return isKept;
  }
}

function isFit({ destroyed, remoteAddress }: Socket, { addresses }: Wanted): boolean {
  return !destroyed && remoteAddress !== undefined && addresses.includes(remoteAddress);
}
