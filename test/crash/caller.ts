/** Calls like a careful client: aborted requests are repeated with the same Idempotency-Key. */
import { setTimeout as pause } from 'node:timers/promises';
import { integrationPrefix } from '../../contract/prefixes.ts';
import { type JsonResponse as Called, callJson } from '../../local/call-json.ts';
import type { VictimReady } from './victim.ts';

export interface Answer<T> extends Called<T> {
  /** Whether the response of an earlier try may have been lost. */
  readonly isAgain: boolean;
}

const timeoutMs = 10_000;
const pauseMs = 50;
/** A pause for keys that have used up their sixty requests a minute. */
const limitedMs = 2_000;
const triesMax = 400;

export class Caller {
  readonly #where: () => Promise<VictimReady>;
  answered = 0;
  brokenOff = 0;
  #onChange = () => {};

  constructor(where: () => Promise<VictimReady>) {
    this.#where = where;
  }

  /** Resolves when the next change is acknowledged. */
  changesAgain(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange = resolve;
    });
  }

  /** Resolves with the first final response: neither a 5xx, nor a limit, nor a conflict with an earlier try. */
  async call<T>(
    key: string,
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string,
  ): Promise<Answer<T>> {
    for (let tries = 1; tries <= triesMax; tries++) {
      let waitMs = pauseMs;
      try {
        const { baseUrl } = await this.#where();
        const headers = {
          'X-API-Key': key,
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        };
        const signal = AbortSignal.timeout(timeoutMs);
        const answer = await callJson<T & { code?: string }>(method, `${baseUrl}${integrationPrefix}${path}`, {
          ...{ headers, body, signal },
        });
        if (answer.status === 429) waitMs = limitedMs;
        else if (answer.status < 500 && answer.body?.code !== 'idempotency_in_progress') {
          this.answered += 1;
          if (method !== 'GET' && answer.status < 300) this.#onChange();
          return { ...answer, isAgain: tries > 1 };
        }
      } catch {
        this.brokenOff += 1;
      }
      // The next process is starting, or this one is busy.
      await pause(waitMs);
    }
    throw new Error(`${method} ${path} was not answered in ${triesMax} tries.`);
  }
}
