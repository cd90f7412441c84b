/** One attempt: its deadline, its current stage, and the sockets that are closed at its end. */
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

  /** Begins a stage. Throws after the end of the attempt, so that late work does not continue. */
  enter(stage: Stage): void {
    if (this.#ended) throw timeoutFailure(stage, this.#timeoutMs);
    this.#stage = stage;
  }

  /** Registers a socket, which is closed at the end of the attempt unless it is released. */
  hold<S extends Socket>(socket: S): S {
    if (this.#ended) socket.destroy();
    this.#sockets.push(socket);
    return socket;
  }

  /** Releases a socket, which stays open after the attempt. */
  letGo(): void {
    this.#sockets.length = 0;
  }

  /** The deadline: rejects with `timeout` if the work is not done in time. */
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
