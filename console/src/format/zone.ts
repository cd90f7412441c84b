/** Converts between instants and local times of the business, `2026-11-24 14:30:00`. */
import { dateFormat } from './formats.ts';
import { readTime } from './time-of-day.ts';

export function wallClock(instant: string | number, zone: string): string {
  return dateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(new Date(instant));
}

/** Returns the instant as ISO 8601. A time that a clock change skips is moved forward by the skipped duration. */
export function instantOf(wall: string, zone: string): string {
  const asUtc = Date.parse(`${wall.replace(' ', 'T')}Z`);
  const ahead = (ms: number) => Date.parse(`${wallClock(ms, zone).replace(' ', 'T')}Z`) - ms;
  const near = asUtc - ahead(asUtc);
  const found = asUtc - ahead(near);
  return new Date(wallClock(found, zone) === wall ? found : Math.max(near, found)).toISOString();
}

/** Returns the instant, or undefined for a local time that a clock change skips. */
export function existingInstantOf(wall: string, zone: string): string | undefined {
  const instant = instantOf(wall, zone);
  return wallClock(instant, zone) === wall ? instant : undefined;
}

/** Formats the local time as `14:30`, with the offset if it occurs twice: `03:30 (UTC+02:00)`. */
export function timeLabel(instant: string, zone: string): string {
  const wall = wallClock(instant, zone);
  const time = wall.slice(11, 16);
  const isRepeated = [-60, -30, 30, 60].some(
    (minutes) => wallClock(Date.parse(instant) + minutes * 60_000, zone) === wall,
  );
  return isRepeated ? `${time} (UTC${isoIn(instant, zone).slice(19)})` : time;
}

/** Formats both times, as `14:30–15:15`. */
export function periodLabel(start: string, end: string, zone: string): string {
  return `${timeLabel(start, zone)}–${timeLabel(end, zone)}`;
}

/** Whether a clock change skips the whole time from `from` to `to` of a day. Both are `HH:mm`, at most 24:00. */
export function isSkipped(day: string, from: string, to: string, zone: string): boolean {
  const exists = (utc: number) => existingInstantOf(wallClock(utc, 'UTC'), zone) !== undefined;
  const [first, end] = [from, to].map((time) => Date.parse(`${day}T${time}:00Z`)) as [number, number];
  return first < end && !exists(first) && !exists(end - 60_000);
}

/**
 * Returns the instant of a typed time or a label. An offset that the zone does not have on that day is ignored: the
 * label may be of another day. Undefined for a skipped local time and for other text.
 */
export function instantAt(day: string, text: string, zone: string): string | undefined {
  const [, typed = text, offset] = /^(.+) \(UTC([+-][01]\d:[0-5]\d)\)$/.exec(text) ?? [];
  const time = readTime(typed);
  if (time === undefined) return undefined;
  const wall = `${day} ${time}:00`;
  const labelled = offset && new Date(`${day}T${time}:00${offset}`).toISOString();
  return labelled && wallClock(labelled, zone) === wall ? labelled : existingInstantOf(wall, zone);
}

/** Formats an instant as ISO 8601 with the offset of the zone: `2026-11-24T14:30:00+02:00`. */
export function isoIn(instant: string, zone: string): string {
  const wall = wallClock(instant, zone).replace(' ', 'T');
  const ahead = Math.round((Date.parse(`${wall}Z`) - Date.parse(instant)) / 60_000);
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${wall}${ahead < 0 ? '-' : '+'}${hours}:${minutes}`;
}
