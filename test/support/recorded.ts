/**
 * Committed files that a test generates: recorded responses, counted costs. `npm run docs` runs those tests with
 * `RECORD` set, and they write the files; in every other run they compare, and report how to update them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { vi } from 'vitest';

const isRecording = process.env.RECORD === 'true';
const remedy = 'If that is meant, run `npm run docs` and commit what it writes.';

const at = (path: string) => new URL(`../../${path}`, import.meta.url);

export function committed(path: string): string {
  return readFileSync(at(path), 'utf8');
}

/** Fails with a line for each difference; when recording, writes the file instead. */
export function expectRecorded(path: string, fresh: string, differences: readonly string[]): void {
  if (isRecording) writeFileSync(at(path), fresh);
  else if (differences.length > 0)
    throw new Error([`${path} does not say what is so any more:`, ...differences, remedy].join('\n'));
}

/**
 * One generated part of a document, between `<!-- name -->` and `<!-- /name -->`. The part stays as it is if `isAlike`
 * returns true for both texts.
 */
export function expectRecordedPart(
  path: string,
  name: string,
  fresh: string,
  isAlike = (shown: string, wanted: string) => shown === wanted,
): void {
  const document = committed(path);
  const section = new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- /${name} -->)`);
  const shown = section.exec(document)?.[0].trimEnd();
  if (shown === undefined) throw new Error(`${path} has no section for <!-- ${name} --> … <!-- /${name} -->.`);
  if (isAlike(shown, fresh)) return;
  const before = shown.split('\n');
  const after = fresh.split('\n');
  expectRecorded(
    path,
    document.replace(section, () => `${fresh}\n`),
    [
      ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
      ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
    ],
  );
}

/** Compares texts whose words are equal, and whose numbers may differ by this share of the larger one and by `rest`. */
export function within(share: number, rest: number): (shown: string, counted: string) => boolean {
  const number = /[0-9]+(?:\.[0-9]+)?/g;
  return (shown, counted) => {
    if (shown.replaceAll(number, '#') !== counted.replaceAll(number, '#')) return false;
    const [own, others] = [shown, counted].map((text) => (text.match(number) ?? []).map(Number));
    return (own ?? []).every((one, i) => {
      const other = others?.[i] ?? Number.NaN;
      return Math.abs(one - other) <= share * Math.max(one, other) + rest;
    });
  };
}

/** The response of a list with only its first entries as examples. */
export function firstEntries(answer: unknown, count = 2): unknown {
  const isList = isTree(answer) && Array.isArray(answer.data);
  return isList ? { ...answer, data: (answer.data as unknown[]).slice(0, count) } : answer;
}

/** `fresh` with its fields in the order of `shown`, because the store returns fields of a map in any order. */
export function inOrderOf(shown: unknown, fresh: unknown): unknown {
  if (Array.isArray(fresh)) return fresh.map((one, i) => inOrderOf(Array.isArray(shown) ? shown[i] : undefined, one));
  if (!isTree(shown) || !isTree(fresh)) return fresh;
  const names = new Set([...Object.keys(shown).filter((name) => name in fresh), ...Object.keys(fresh)]);
  return Object.fromEntries([...names].map((name) => [name, inOrderOf(shown[name], fresh[name])]));
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The differences between two JSON values, each as `path: shown → fresh`. */
export function differencesOf(shown: unknown, fresh: unknown, path = ''): string[] {
  if (Object.is(shown, fresh)) return [];
  if (!isTree(shown) || !isTree(fresh)) {
    const words = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100));
    return [`${path}: ${words(shown)} → ${words(fresh)}`];
  }
  const names = new Set([...Object.keys(shown), ...Object.keys(fresh)]);
  return [...names].flatMap((name) => differencesOf(shown[name], fresh[name], path ? `${path}.${name}` : name));
}

/**
 * Runs a journey within one hour, because its responses count by hours and days. It takes less than a minute on an idle
 * machine, and waits for the next hour if this one ends too soon. It cannot be repeated, because the request log shows
 * an error that recurs within a minute only later.
 */
export async function withinAnHour<T>(journey: () => Promise<T>): Promise<T> {
  const journeyMs = 180_000;
  const isHourLongEnough = () => 3_600_000 - (Date.now() % 3_600_000) > journeyMs;
  await vi.waitUntil(isHourLongEnough, { timeout: 2 * journeyMs, interval: 1_000 });
  return journey();
}
