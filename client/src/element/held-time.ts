/**
 * Holds the time that a visitor has chosen, and books it. The visitor books once, whatever response is lost:
 * - A request without a response is sent again with its `Idempotency-Key`, also after a reload.
 * - A booking can only be made with its hold, so it is withdrawn by releasing the hold.
 */
import type { Hold } from '../generated/types.ts';
import type { Api, Appointment, Refused, Unanswered } from './api.ts';

const holds = '/slots/holds';
const bookings = '/bookings';

/** A request that has no response yet: its path and body, and its `Idempotency-Key`. */
export type SentRequest = readonly [request: string, key: string];

/** The session of a visitor, and what the element does with its requests. */
export interface Session {
  readonly api: Api;
  readonly unanswered: Unanswered;
  /** Stores the requests without a response for a reload. */
  readonly store: () => void;
  /** Stores that a reload must not send the booking again. */
  readonly forget: () => void;
  readonly onHeld: (detail: object) => void;
}

export const sentBooking = (unanswered: Unanswered): SentRequest | undefined =>
  [...unanswered].findLast(([request]) => request.startsWith(`${bookings} `));

/** Sends the booking that has no response again. */
export const sendAgain = (session: Session, [request]: SentRequest): Promise<Appointment> =>
  send(session, JSON.parse(request.slice(bookings.length)));

async function send({ api, store }: Session, body: object): Promise<Appointment> {
  const answer = api<Appointment>('POST', bookings, body);
  store();
  return answer.finally(store);
}

export class HeldTime {
  readonly #session: Session;
  /** The body of the hold. */
  readonly #slot: object;
  #holdId = '';

  constructor(session: Session, slot: object) {
    this.#session = session;
    this.#slot = slot;
  }

  async hold(): Promise<Hold> {
    const hold = await this.#session.api<Hold>('POST', holds, this.#slot);
    this.#holdId = hold.holdId;
    this.#session.onHeld({ ...this.#slot, holdId: hold.holdId });
    return hold;
  }

  async release(): Promise<void> {
    await this.#session.api('DELETE', `${holds}/${this.#holdId}`);
  }

  /**
   * Books the time with these contact details. If a booking with other details has no response, it is withdrawn first, or
   * returned if it was made.
   */
  async book(details: object): Promise<Appointment> {
    const body = () => ({ ...this.#slot, ...details, holdId: this.#holdId });
    const sent = sentBooking(this.#session.unanswered);
    const isChanged = sent && sent[0] !== `${bookings} ${JSON.stringify(body())}`;
    const made = isChanged && (await this.withdraw());
    if (made) return made;
    return send(this.#session, body()).catch(async (error: Refused) => {
      if (error.code !== 'hold_expired') throw error;
      // The time may still be free if the form took longer than the hold.
      await this.hold();
      return send(this.#session, body());
    });
  }

  /**
   * Releases the time for a visitor who changes or leaves the form. If a booking was sent without a response, this makes
   * sure that it is not made, or returns it if it was.
   */
  async withdraw(): Promise<Appointment | undefined> {
    const sent = sentBooking(this.#session.unanswered);
    this.#session.forget();
    await this.release().catch((error: Refused) => {
      if (sent && error.code !== 'not_found') throw error;
    });
    // Without its hold, the request cannot make the booking.
    return (
      sent &&
      sendAgain(this.#session, sent).catch((error: Refused) => {
        if (sentBooking(this.#session.unanswered)) throw error;
        return undefined;
      })
    );
  }
}
