/** An integrator that books and cancels concurrently with others, and remembers acknowledged changes. */
import { randomUUID } from 'node:crypto';
import type { Booking } from '../../contract/integration/resources.ts';
import type { Random } from '../simulation/random.ts';
import type { Caller } from './caller.ts';
import type { Offered } from './crash-test.ts';

/** The last acknowledged version of a booking. */
export interface Known {
  readonly id: number;
  readonly slot: Offered;
  status: 'live' | 'cancelled';
}

export interface IntegratorOptions {
  readonly caller: Caller;
  readonly keys: readonly string[];
  readonly random: Random;
  readonly offered: { readonly slots: readonly Offered[] };
}

/** All integrators compete for this many of the first slots, so that some are refused. */
const wantedSlots = 400;
const cancelledShare = 0.3;

export class Integrator {
  readonly #options: IntegratorOptions;
  readonly bookings = new Set<Known>();
  refused = 0;
  #requests = 0;
  #stopped = false;

  constructor(options: IntegratorOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#stopped = true;
  }

  async work(): Promise<void> {
    const { random } = this.#options;
    while (!this.#stopped) {
      const live = [...this.bookings].filter(({ status }) => status === 'live');
      if (live.length > 0 && random.chance(cancelledShare)) await this.#cancel(random.pick(live));
      else await this.#book();
    }
  }

  #key(): string {
    this.#requests += 1;
    const { keys } = this.#options;
    return keys[this.#requests % keys.length] ?? '';
  }

  async #book(): Promise<void> {
    const { caller, random, offered } = this.#options;
    const slot = random.pick(offered.slots.slice(0, wantedSlots));
    const { serviceId, staffId, startTime } = slot;
    const client = { name: 'Jane Doe', email: `jane-${random.below(50)}@example.com` };
    const wanted = { serviceId, staffId, startTime, client };
    const { status, body } = await caller.call<Booking>(this.#key(), 'POST', '/bookings', wanted, randomUUID());
    if (status === 201) this.bookings.add({ id: body.id, slot, status: 'live' });
    else if (status === 409) this.refused += 1;
    else throw new Error(`POST /bookings answered ${status}: ${JSON.stringify(body)}`);
  }

  async #cancel(known: Known): Promise<void> {
    const { caller } = this.#options;
    const { status, body, isAgain } = await caller.call(this.#key(), 'POST', `/bookings/${known.id}/cancel`, {});
    // An aborted call may have succeeded: then its repetition is refused.
    if (status !== 200 && !(isAgain && status === 409)) {
      throw new Error(`A cancellation was answered ${status}: ${JSON.stringify(body)}`);
    }
    known.status = 'cancelled';
  }
}
