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

/** The same. Undefined of a time that the clock skips. */
export function existingInstantOf(wall: string, zone: string): string | undefined {
  const instant = instantOf(wall, zone);
  return wallClock(instant, zone) === wall ? instant : undefined;
}

/** ISO 8601 with the offset of the zone: `2026-11-24T14:30:00+02:00`. */
export function isoIn(instant: string, zone: string): string {
  const wall = wallClock(instant, zone).replace(' ', 'T');
  const ahead = Math.round((Date.parse(`${wall}Z`) - Date.parse(instant)) / 60_000);
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${wall}${ahead < 0 ? '-' : '+'}${hours}:${minutes}`;
}
