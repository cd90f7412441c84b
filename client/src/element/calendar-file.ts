/** An appointment as a file for calendars (RFC 5545). */
import type { Business } from '../generated/types.ts';
import { type Appointment, now } from './api.ts';

export function calendarFile({ id, segments, startTime, endTime }: Appointment, business?: Business): string {
  const utc = (time: string | number) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '');
  const line = (name: string, value: string) =>
    `${name}:${value.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')}`
      // A line has at most 75 bytes.
      .replace(/.{18}(?=.)/gu, '$&\r\n ');
  const summary = segments.map(({ serviceName, staffName }) => `${serviceName} · ${staffName}`).join(', ');
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//booking-slots//EN',
    'BEGIN:VEVENT',
    `UID:booking-${id}`,
    `DTSTAMP:${utc(now())}`,
    `DTSTART:${utc(startTime)}`,
    `DTEND:${utc(endTime)}`,
    line('SUMMARY', summary),
    ...(business ? [line('LOCATION', [business.name, business.address].filter(Boolean).join(', '))] : []),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}
