/** The life of one attempt: its deadline, what it is doing, and the sockets that end with it. */
import type { Socket } from 'node:net';
import { type Stage, timeoutFailure } from './failures.ts';

export class SendAttempt {
  readonly #timeoutMs: number;
  readonly #sockets: Socket[] = [];
  #stage: Stage = 'resolve';
  #ended = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** Says what comes next. Throws after the end, so that work which lost against the deadline goes no further. */
  enter(stage: Stage): void {
    if (this.#ended) throw timeoutFailure(stage, this.#timeoutMs);
    this.#stage = stage;
  }

  /** Takes a socket in charge: it does not outlive the attempt, unless it is let go. */
  hold<S extends Socket>(socket: S): S {
    if (this.#ended) socket.destroy();
    this.#sockets.push(socket);
    return socket;
  }

  /** The connection goes on without the attempt. */
  letGo(): void {
    this.#sockets.length = 0;
  }

  /** The one deadline: rejects with `timeout` when the work is not done. */
  async withinDeadline<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(timeoutFailure(this.#stage, this.#timeoutMs)), this.#timeoutMs);
    });
    try {
      return await Promise.race([work, deadline]);
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    this.#ended = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}
