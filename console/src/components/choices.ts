/** Converts entries with an id and a name, such as staff members, to the options of a field. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

export function choicesOf(entries: readonly Named[] = []) {
  return entries.map(({ id, name }) => ({ value: String(id), label: name }));
}

const shortList = 12;

/** Whether a list is searched by typing. For a short one, the keyboard of a phone would cover more than it helps. */
export const isSearched = (choices: readonly unknown[] = []): boolean => choices.length > shortList;
