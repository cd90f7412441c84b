/**
 * Holds the time that a visitor has chosen, and books it. The visitor books once, whatever response is lost:
 * - A request without a response is sent again with its `Idempotency-Key`, also after a reload.
 * - A booking can only be made with its hold, so it is withdrawn by releasing the hold.
 * - If the session has ended before there is a response, the visitor is sent to the business.
 * - A hold whose response was lost is released before the free times are listed.
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

const lastTo = (path: string, unanswered: Unanswered): SentRequest | undefined =>
  [...unanswered].findLast(([request]) => request.startsWith(`${path} `));
export const sentBooking = (unanswered: Unanswered) => lastTo(bookings, unanswered);
export const sentHold = (unanswered: Unanswered) => lastTo(holds, unanswered);

async function send<T>({ api, store }: Session, path: string, body: object): Promise<T> {
  const answer = api<T>('POST', path, body);
  store();
  return answer.finally(store);
}

/** Sends a request that has no response again. */
export function sendAgain<T = Appointment>(session: Session, [request]: SentRequest): Promise<T> {
  const [path = ''] = request.split(' ', 1);
  return send(session, path, JSON.parse(request.slice(path.length)));
}

/**
 * Releases a time that may be held although the response was lost: the visitor can then choose it again. The response
 * to the same request contains the id of the hold. If there is no response again, the hold expires.
 */
export async function releaseLostHold(session: Session): Promise<void> {
  const sent = sentHold(session.unanswered);
  if (!sent) return;
  await sendAgain<Hold>(session, sent)
    .then(({ holdId }) => session.api('DELETE', `${holds}/${holdId}`))
    .catch(() => undefined);
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
    const [lost] = sentHold(this.#session.unanswered) ?? [];
    if (lost !== `${holds} ${JSON.stringify(this.#slot)}`) await releaseLostHold(this.#session);
    const hold = await send<Hold>(this.#session, holds, this.#slot);
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
    return send<Appointment>(this.#session, bookings, body()).catch(async (error: Refused) => {
      if (error.code !== 'hold_expired') throw error;
      // The time may still be free if the form took longer than the hold.
      await this.hold();
      return send<Appointment>(this.#session, bookings, body());
    });
  }

  /**
   * Releases the time for a visitor who changes or leaves the form. After a booking request without a response: returns
   * the booking if it was made, and otherwise makes sure that it will not be made.
   */
  async withdraw(): Promise<Appointment | undefined> {
    const sent = sentBooking(this.#session.unanswered);
    this.#session.forget();
    await this.release().catch((error: Refused) => {
      if (sent && error.say !== 'over') throw error;
    });
    // Without its hold, the request cannot make the booking.
    return (
      sent &&
      sendAgain(this.#session, sent).catch((error: Refused) => {
        if (sentBooking(this.#session.unanswered) || error.say === 'unsure') throw error;
        return undefined;
      })
    );
  }
}
