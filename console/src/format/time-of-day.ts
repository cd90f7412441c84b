/** Parses a typed time of day: `9`, `930`, `9:30` or `9.30`. Undefined for other text. */
export function readTime(text: string): string | undefined {
  const [, hours, minutes = '00'] = /^\s*(\d{1,2})[:.]?(\d\d)?\s*$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return `${hours.padStart(2, '0')}:${minutes}`;
}

/** Whether the text is a time of working hours: `HH:mm`, up to 24:00. Other text must not be compared with times. */
export const isTime = (text: string) => text === '24:00' || readTime(text) === text;
