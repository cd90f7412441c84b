/** What a visitor has chosen so far, kept in the tab for a reload. A browser may refuse to store anything. */
const key = 'booking-choice';

export interface Choice {
  /** The session that the choice belongs to. */
  readonly token: string;
  readonly serviceIds: readonly number[];
  /** When the list of days begins. */
  readonly from: number;
  readonly day?: string | undefined;
  /** A booking that has been sent and has no response: the request and its `Idempotency-Key`. */
  readonly sent?: readonly [string, string] | undefined;
}

/** Also returns a booking without a response that was sent with another token: many pages get a token on each load. */
export function storedChoice(token: string): Choice | undefined {
  try {
    const choice = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return choice.token === token || choice.sent ? choice : undefined;
  } catch {
    return undefined;
  }
}

/** Without an argument it deletes the stored choice. */
export function storeChoice(choice?: Choice): void {
  try {
    if (choice) sessionStorage.setItem(key, JSON.stringify(choice));
    else sessionStorage.removeItem(key);
  } catch {}
}
