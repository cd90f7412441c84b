/** Calendar days on the clock of a zone, as instants. */
import { dateFormat } from './formats.ts';

/** The last second of the day `2026-11-24` in the zone, in UTC. */
export function endOfDay(day: string, zone: string): string {
  return atClock(`${day}T23:59:59`, zone);
}

/** When the day begins. */
export function startOfDay(day: string, zone: string): string {
  return atClock(`${day}T00:00:00`, zone);
}

/** `2026-11-24` and 3 → `2026-11-27`. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The instant at which clocks of the zone show this, in UTC. Where it is skipped or comes twice, one beside it. */
export function atClock(local: string, zone: string): string {
  const wanted = Date.parse(`${local}Z`);
  // What the zone is ahead of UTC then; once more, since it may have changed between the guess and the time itself.
  const guess = wanted - aheadMs(wanted, zone);
  return new Date(wanted - aheadMs(guess, zone)).toISOString();
}

function aheadMs(instant: number, zone: string): number {
  const shown = dateFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(instant);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(instant / 1_000) * 1_000;
}
