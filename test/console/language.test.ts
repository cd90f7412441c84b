/** The languages of the console. */
import { expect, test } from 'vitest';
import { preferredLanguage } from '../../console/src/format/language.ts';
import { calendar } from '../../console/src/strings/lv/calendar.ts';
import { overview } from '../../console/src/strings/lv/overview.ts';
import { plural } from '../../console/src/strings/lv/plural.ts';
import { loadTexts, strings } from '../../console/src/strings/strings.ts';

test.each([
  ['a Latvian browser', 'Latvian', null, ['lv-LV', 'en']],
  ['a browser that prefers German, then Latvian', 'Latvian', null, ['de-DE', 'lv', 'en']],
  ['a browser in German and French', 'English', null, ['de-DE', 'fr']],
  ['a Latvian browser, who has chosen English,', 'English', 'en', ['lv-LV']],
  ['a Latvian browser and a stored language that does not exist', 'Latvian', 'toString', ['lv']],
] as const)('An owner with %s gets the console in %s', (_, language, chosen, wanted) => {
  expect(preferredLanguage(chosen, wanted)).toBe(language === 'Latvian' ? 'lv' : 'en');
});

test('In Latvian, the console chooses the singular or plural of a noun that the number requires, such as the singular after 21', () => {
  const forms = ['0', '1', '2', '11', '21', '1 001'].map((count) => plural(count, 'vietu', 'vieta', 'vietas'));
  expect(forms).toEqual(['0 vietu', '1 vieta', '2 vietas', '11 vietu', '21 vieta', '1 001 vieta']);
});

test('In Latvian, the console uses the singular after 21 in the figures of the overview and for the places of a class', () => {
  expect(overview.bookingsHint('21')).toBe('un 21 atcelta');
  expect(overview.occupancyHint('5', '21')).toBe('rezervēts: 5 no 21 stundas');
  expect(overview.occupancyHint('5', '40')).toBe('rezervēts: 5 no 40 stundām');
  expect(calendar.placesTaken(3, 21)).toBe('3 no 21 vietas');
});

/** Words and signs that are the same in both languages. */
const same = /^(ID|#?1|www\.example\.com| min|ping|p95|\W*)$/;

function texts(of: object, path = ''): [string, string][] {
  return Object.entries(of).flatMap(([key, value]: [string, unknown]) => {
    const here = `${path}${key}`;
    if (typeof value === 'object' && value !== null) return texts(value, `${here}.`);
    // Every function takes texts or counts.
    return [
      [here, typeof value === 'function' ? String((value as (...all: number[]) => string)(1, 1, 1)) : String(value)],
    ];
  });
}

test('Every text of the console has a Latvian translation', async () => {
  const english = texts(strings);
  await loadTexts('lv');
  const latvian = new Map(texts(strings));
  expect(english.length).toBeGreaterThan(500);
  expect(english.filter(([path, text]) => !same.test(text) && latvian.get(path) === text)).toEqual([]);
});
