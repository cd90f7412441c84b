/** A recorded response of DynamoDB, and the key of its request. */
export interface RecordedResponse {
  readonly key: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A read is identified by its body, a write by its number of statements, because its body contains the time. */
export function requestKey(target: string, body: string): string {
  if (/Get/.test(target)) return `${target} ${body}`;
  return `${target} ${(JSON.parse(body) as { Statements?: unknown[] }).Statements?.length ?? 1}`;
}
