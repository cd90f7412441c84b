/** Between instants and what a clock on the wall of the business shows, `2026-11-24 14:30:00`. */
import { dateFormat } from './formats.ts';

export function wallClock(instant: string | number, zone: string): string {
  return dateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(new Date(instant));
}

/** The instant, as ISO 8601. A time that the clock skips is as long after midnight as it says. */
export function instantOf(wall: string, zone: string): string {
  const asUtc = Date.parse(`${wall.replace(' ', 'T')}Z`);
  const ahead = (ms: number) => Date.parse(`${wallClock(ms, zone).replace(' ', 'T')}Z`) - ms;
  const near = asUtc - ahead(asUtc);
  return new Date(asUtc - ahead(near)).toISOString();
}
