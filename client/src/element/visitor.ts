/**
 * The visitor of the element: the calls of the session, what was chosen so far, and the appointment that was booked or is
 * managed.
 */
import type { Business } from '../generated/types.ts';
import { type Api, type Appointment, apiAt, Refused, type Unanswered } from './api.ts';
import { type Choice, choiceKey, storeChoice, storedChoice } from './choice.ts';
import { type Session, sentBooking, sentHold } from './held-time.ts';

const nothing: Choice = { token: '', serviceIds: [], from: 0 };

export class Visitor {
  readonly #element: HTMLElement;
  api: Api = () => Promise.reject(new Refused('', 'over'));
  choice: Choice = nothing;
  appointment: Appointment | undefined;
  isMoving = false;
  /** How many bookings the session may still make. */
  left = 0;
  #unanswered: Unanswered = new Map();
  /** The request for the business. */
  #asked: Promise<Business | undefined> | undefined;
  /** The key of the choice in the storage of the tab. */
  #key = '';

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Begins with the attributes. Returns the choice before a reload, and whether requests or a booking are part of it. */
  begin(): { readonly before: Choice | undefined; readonly isSent: boolean } {
    const token = this.#attribute('token');
    const booking = this.#attribute('booking');
    this.appointment = undefined;
    this.isMoving = false;
    this.#key = choiceKey(this.#element);
    const before = token && !booking ? storedChoice(this.#key, token) : undefined;
    const left = before?.token === token ? before?.left : undefined;
    this.left = left ?? Number(this.#attribute('bookings') ?? (booking ? 0 : 1));
    this.#unanswered = new Map([before?.sent, before?.sentHold].filter((sent) => sent !== undefined));
    const isSent = Boolean(before?.sent || before?.sentHold || before?.booked);
    this.use((isSent && before?.token) || (token ?? ''), before ?? nothing);
    return { before, isSent };
  }

  #attribute(name: string): string | null {
    return this.#element.getAttribute(name);
  }

  /** Uses a session for all further calls. */
  use(token: string, choice: Choice): void {
    this.choice = { ...choice, token };
    const call = apiAt(this.#attribute('api') ?? '', token, this.#unanswered);
    // A call of an earlier start never resolves, so that its response is not drawn.
    const current: Api = (...args) =>
      new Promise((resolve, reject) => {
        const ifCurrent =
          <T>(settle: (value: T) => void) =>
          (value: T) =>
            this.api === current && settle(value);
        call<never>(...args).then(ifCurrent(resolve), ifCurrent(reject));
      });
    this.api = current;
    this.#asked = undefined;
  }

  /** Uses a session for a new choice. */
  chooseAgain(token: string): void {
    this.use(token, { ...nothing, left: this.left });
  }

  /** The business, if the session may read it. The link to an appointment may read it only if it allows a move. */
  business(): Promise<Business | undefined> {
    if (!this.may('move')) return Promise.resolve(undefined);
    this.#asked ??= this.api<Business>('GET', '/business').then(
      (business) => {
        this.tell('business', business);
        return business;
      },
      () => {
        this.#asked = undefined;
        return undefined;
      },
    );
    return this.#asked;
  }

  may(right: string): boolean {
    return (this.#attribute('may') ?? 'read move cancel').split(/\W+/).includes(right);
  }

  /** Sends an event to the page. */
  tell(name: string, detail: unknown): void {
    this.#element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Keeps the choice for a reload, which ends a move. */
  keep(change: Partial<Choice>): void {
    this.choice = { ...this.choice, ...change };
    if (this.isMoving) return;
    const requests = { sent: this.sentBooking, sentHold: sentHold(this.#unanswered) };
    storeChoice(this.#key, { ...this.choice, ...requests });
  }

  /** The booking that has no response. */
  get sentBooking() {
    return sentBooking(this.#unanswered);
  }

  get session(): Session {
    return {
      api: this.api,
      unanswered: this.#unanswered,
      store: () => this.keep({}),
      forget: () => storeChoice(this.#key, { ...this.choice, sent: undefined }),
      onHeld: (detail) => this.tell('held', detail),
    };
  }

  /** Keeps the appointment that was booked for a reload. */
  booked(appointment: Appointment): void {
    this.appointment = appointment;
    this.left -= 1;
    this.choice = { ...nothing, token: this.choice.token, booked: appointment.id, left: this.left };
    storeChoice(this.#key, this.choice);
    this.tell('booked', appointment);
  }

  get moved(): Appointment | undefined {
    return this.isMoving ? this.appointment : undefined;
  }
}
