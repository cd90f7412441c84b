/** Searches outputs for keys, secrets and content that they must not contain (docs/rules.md#privacy). */

/** The texts found in each output, by the name of the output. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** Each text of each output that contains a seeded secret. */
export function leaksOf(places: Places, seeded: (place: string) => readonly string[]): string[] {
  return Object.entries(places).flatMap(([place, texts]) =>
    seeded(place).flatMap((secret) =>
      texts.filter((text) => text.includes(secret)).map((text) => `${place} with ${secret}: ${text}`),
    ),
  );
}
