/** The API calls of the element, with a session token in place of a key, and with errors as texts of the element. */
import type { ChangedBooking, Hold } from '../generated/types.ts';
import type { Texts } from './texts.ts';

/** The fields that a hold and an appointment share. */
export type Times = Pick<Hold, 'startTime' | 'timeZone' | 'segments'>;
export type Appointment = Times & Pick<ChangedBooking, 'id' | 'status' | 'endTime' | 'places'>;

/** An error response: the text to show, and the code of the API, or `offline`, or nothing if it has no code. */
export class Refused extends Error {
  readonly code: string;
  readonly say: keyof Texts;
  /** The name of the field to correct. */
  readonly field: string | undefined;
  /** The last booking of a session that has made all its bookings. */
  readonly bookingId: number | undefined;
  constructor(code: string, say: keyof Texts, field?: string, bookingId?: number) {
    super(code);
    this.code = code;
    this.say = say;
    this.field = field;
    this.bookingId = bookingId;
  }
}

const sayings: Readonly<Record<string, keyof Texts>> = {
  slot_unavailable: 'taken',
  hold_limit_reached: 'limit',
  cancellation_window_passed: 'late',
  invalid_state: 'changed',
  contact_limit_reached: 'contactLimit',
  validation_failed: 'invalid',
  rate_limit_exceeded: 'limit',
  daily_limit_exceeded: 'limit',
  insufficient_scope: 'notAllowed',
  origin_not_allowed: 'over',
  not_found: 'over',
};

export type Api = <T>(method: string, path: string, body?: object) => Promise<T>;

/** Milliseconds for one attempt. */
const attemptMs = 30_000;
const hourMs = 3_600_000;

/** By how many milliseconds the clock of the device is behind the server's. */
let behindMs = 0;

/** The time of the server, to the hour, because the clock of a device may show another day. */
export const now = () => Date.now() + behindMs;

/** The `Idempotency-Key` of each POST without a response, by its path and body. */
export type Unanswered = Map<string, string>;

/**
 * `base` is for example `https://api.example.com/v1/integration`. A lost response is retried once. A hold or a booking
 * keeps its `Idempotency-Key` until it has a response, so that a visitor who tries again books nothing twice. A
 * repeated change of a booking gets a new key. With the old key, it would get the first response again, although the
 * booking may have been moved elsewhere since.
 */
export function apiAt(base: string, token: string, unanswered: Unanswered): Api {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
    if (body) headers['Content-Type'] = 'application/json';
    const text = body && JSON.stringify(body);
    const request = `${path} ${text}`;
    let isRepeated = unanswered.has(request);
    if (method === 'POST') {
      const isChange = path.startsWith('/bookings/');
      const key = (!isChange && unanswered.get(request)) || randomKey();
      unanswered.set(request, key);
      headers['Idempotency-Key'] = key;
    }
    const ask = async () => {
      const signal = AbortSignal.timeout(attemptMs);
      const url = base.replace(/\/+$/, '') + path;
      const answer = await fetch(url, {
        method,
        headers,
        signal,
        ...(text && { body: text }),
        // A page that closes still deletes its hold.
        keepalive: method === 'DELETE',
        referrerPolicy: 'no-referrer',
      });
      return { answer, json: parsed(await answer.text()) };
    };
    const askAgain = () => {
      isRepeated = true;
      return ask();
    };
    const { answer, json } = await ask()
      .catch(askAgain)
      .catch(() => Promise.reject(new Refused('offline', 'offline')));
    // The end of a minute. The header `Date` is not readable for a page of another origin.
    const minuteEnd = Number(answer.headers.get('X-RateLimit-Reset')) * 1_000;
    if (minuteEnd) behindMs = Math.round((minuteEnd - Date.now()) / hourMs) * hourMs;
    const { code = '', details } = (json ?? {}) as { code?: string; details?: unknown };
    const isDone = answer.ok && (json !== undefined || answer.status === 204);
    // After these responses, and those of a proxy, an attempt may have succeeded.
    const isOpen = answer.status >= 500 || answer.status === 429 || code === 'idempotency_in_progress';
    if (isDone || (code && !isOpen)) unanswered.delete(request);
    if (isDone) return json as T;
    // An earlier attempt may have succeeded, but a session that has ended cannot find out.
    const over = isRepeated && method === 'POST' && path.startsWith('/bookings') ? 'unsure' : 'over';
    const [problem] = code === 'validation_failed' ? (details as { path: string }[]) : [];
    throw new Refused(
      code,
      answer.status === 401 ? over : (sayings[code] ?? 'failed'),
      problem?.path.split('.').pop(),
      (details as { bookingId?: number } | undefined)?.bookingId,
    );
  };
}

/** `randomUUID` does not exist in pages without TLS. */
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** Returns undefined for text that is not JSON, such as the page of a proxy. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
