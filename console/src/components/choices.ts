/** What has an id and a name, such as a staff member, as the choices of a field. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

export function choicesOf(entries: readonly Named[] = []) {
  return entries.map(({ id, name }) => ({ value: String(id), label: name }));
}
