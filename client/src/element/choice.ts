/** What a visitor has chosen so far, kept in the tab for a reload. A browser may refuse to store anything. */
import type { SentRequest } from './held-time.ts';

export interface Choice {
  /** The session that the choice belongs to. */
  readonly token: string;
  readonly serviceIds: readonly number[];
  /** The staff member whom the visitor wants. By default, any who performs the service. */
  readonly staffId?: number | undefined;
  /** When the list of days begins. */
  readonly from: number;
  readonly day?: string | undefined;
  /** What the visitor has typed. */
  readonly entered?: Readonly<Record<string, unknown>> | undefined;
  /** A booking that has no response. */
  readonly sent?: SentRequest | undefined;
  /** A hold that has no response. */
  readonly sentHold?: SentRequest | undefined;
  /** The id of the booking that was made. */
  readonly booked?: number | undefined;
  /** How many bookings the session has left after the last one. */
  readonly left?: number;
}

/** The key of the stored choice. A page may have several elements, in the same order after a reload. */
export function choiceKey(element: Element): string {
  return `booking-choice-${[...document.querySelectorAll(element.localName)].indexOf(element)}`;
}

/** A link to the page begins a new choice. */
const [loaded] = globalThis.performance?.getEntriesByType('navigation') ?? [];
const isLink = (loaded as PerformanceNavigationTiming | undefined)?.type === 'navigate';
/** The first token in this document and the token before a reload, by key: many pages get another one on each load. */
const reloads = new Map<string, readonly [first: string, before: string | undefined]>();

/** The choice of this token or of the token before a reload, or a booking that has no response. */
export function storedChoice(key: string, token: string): Choice | undefined {
  const choice = read(key);
  const [first, before] = reloads.get(key) ?? [token, isLink ? undefined : choice?.token];
  reloads.set(key, [first, before]);
  const isOwn = choice?.token === token || (token === first && choice?.token === before);
  return choice && (choice.sent || isOwn) ? choice : undefined;
}

function read(key: string): Choice | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '') as Choice;
  } catch {
    return undefined;
  }
}

export function storeChoice(key: string, choice: Choice): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(choice));
  } catch {}
}
