/**
 * Looks for what must not be there: keys, secrets and content in places where they do not belong
 * (docs/rules.md#privacy).
 */

/** A place and all texts that were found in it. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** Each text of each place that holds a seeded secret. */
export function leaksOf(places: Places, seeded: (place: string) => readonly string[]): string[] {
  return Object.entries(places).flatMap(([place, texts]) =>
    seeded(place).flatMap((secret) =>
      texts.filter((text) => text.includes(secret)).map((text) => `${place} with ${secret}: ${text}`),
    ),
  );
}
