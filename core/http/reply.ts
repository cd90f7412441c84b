/** An answer with headers of its own. Status, `Location` and `ETag` come from the row and need none of this. */
export class Reply<T> {
  readonly value: T;
  readonly headers: Readonly<Record<string, string>>;

  constructor(value: T, headers: Readonly<Record<string, string>>) {
    this.value = value;
    this.headers = headers;
  }
}

/** `return reply(booking, { headers: { 'Idempotent-Replayed': 'true' } })`. */
export function reply<T>(value: T, extras: { readonly headers: Readonly<Record<string, string>> }): Reply<T> {
  return new Reply(value, extras.headers);
}
