/** An appointment as a file for calendars (RFC 5545). */
import type { Appointment } from './api.ts';

export function calendarFile({ id, segments, startTime, endTime }: Appointment): string {
  const utc = (time: string) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '');
  const text = (value: string) => value.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');
  const summary = segments.map(({ serviceName, staffName }) => `${serviceName} · ${staffName}`).join(', ');
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//booking-slots//EN',
    'BEGIN:VEVENT',
    `UID:booking-${id}`,
    `DTSTAMP:${utc(new Date().toISOString())}`,
    `DTSTART:${utc(startTime)}`,
    `DTEND:${utc(endTime)}`,
    // A line has at most 75 bytes.
    `SUMMARY:${text(summary)}`.replace(/.{18}(?=.)/gu, '$&\r\n '),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}
