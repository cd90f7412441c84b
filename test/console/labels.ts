/** The English labels of the console, and the paths of its screens, for tests in a browser. */
import { screens } from '../../console/src/app/screens.ts';
import * as latvian from '../../console/src/strings/lv/index.ts';
import { strings as english } from '../../console/src/strings/strings.ts';

/** The texts that differ between the languages, without sentences that contain values. */
function different(one: object, other: object): string[] {
  return Object.entries(one).flatMap(([key, text]: [string, unknown]) => {
    const translated: unknown = Reflect.get(other, key);
    if (typeof text === 'string') return text === translated ? [] : [text];
    return typeof text === 'object' && text !== null ? different(text, translated as object) : [];
  });
}

export const englishLabels: ReadonlySet<string> = new Set(different(english, latvian));
export const screenPaths: readonly string[] = screens.map(({ path }) => path);
