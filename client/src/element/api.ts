/** The calls of the element: a session's token in place of a key, and errors as one of its texts. */
import type { Texts } from './texts.ts';

export interface Money {
  readonly amount: number;
  readonly currency: string;
}
export interface Service {
  readonly id: number;
  readonly name: string;
  readonly durationMinutes: number;
  readonly price: Money;
  /** With more than 1, several visitors share a start, and the service is not part of a visit. */
  readonly capacity: number;
}
export interface Slot {
  readonly startTime: string;
  readonly serviceId: number;
  readonly staffId: number;
  /** Of a visit. */
  readonly segments?: readonly { readonly serviceId: number; readonly staffId: number }[];
  /** Places that are left, where several visitors share a start. */
  readonly remaining?: number;
}
export interface Segment {
  readonly serviceId: number;
  readonly serviceName: string;
  readonly staffId: number;
  readonly staffName: string;
  readonly startTime: string;
  readonly endTime: string;
}
/** What a hold and an appointment have in common. */
export interface Times {
  readonly startTime: string;
  readonly timeZone: string;
  readonly segments: readonly Segment[];
}
export interface Hold extends Times {
  readonly holdId: string;
}
export interface Appointment extends Times {
  readonly id: number;
  readonly status: string;
  readonly endTime: string;
  readonly places: number;
}

/** An answer that is no success: what to say, and the code of the API, or `offline`. */
export class Refused extends Error {
  readonly code: string;
  readonly say: keyof Texts;
  constructor(code: string, say: keyof Texts) {
    super(code);
    this.code = code;
    this.say = say;
  }
}

const sayings: Readonly<Record<string, keyof Texts>> = {
  slot_unavailable: 'taken',
  hold_expired: 'taken',
  hold_limit_reached: 'limit',
  cancellation_window_passed: 'late',
  invalid_state: 'late',
  contact_limit_reached: 'contactLimit',
  validation_failed: 'invalid',
  rate_limit_exceeded: 'limit',
  daily_limit_exceeded: 'limit',
  insufficient_scope: 'over',
  not_found: 'over',
};

export type Api = <T>(method: string, path: string, body?: object, idempotencyKey?: string) => Promise<T>;

/** `base` such as `https://api.example.com/v1/integration`. A lost answer is asked for once more, as the same request. */
export function apiAt(base: string, token: string): Api {
  return async <T>(method: string, path: string, body?: object, idempotencyKey?: string): Promise<T> => {
    const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
    if (body) headers['Content-Type'] = 'application/json';
    if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
    const ask = () =>
      fetch(base + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
        referrerPolicy: 'no-referrer',
      });
    const isSafe = method === 'GET' || idempotencyKey !== undefined;
    const answer = await ask()
      .catch((error: unknown) => (isSafe ? ask() : Promise.reject(error)))
      .catch(() => undefined);
    if (!answer) throw new Refused('offline', 'offline');
    const json = answer.status === 204 ? undefined : await answer.json().catch(() => ({}));
    if (answer.ok) return json as T;
    const { code = '' } = (json ?? {}) as { code?: string };
    throw new Refused(code, answer.status === 401 ? 'over' : (sayings[code] ?? 'failed'));
  };
}
