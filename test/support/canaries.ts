/**
 * Looks for what must not be there: keys, secrets and content in places where they do not belong
 * (docs/rules.md#privacy).
 */

/** A place and all texts that were found in it. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** Each text of each place that holds a canary. */
export function leaksOf(places: Places, canaries: (place: string) => readonly string[]): string[] {
  return Object.entries(places).flatMap(([place, texts]) =>
    canaries(place).flatMap((canary) =>
      texts.filter((text) => text.includes(canary)).map((text) => `${place} with ${canary}: ${text}`),
    ),
  );
}
