/** A recorded response of DynamoDB, and the request that it belongs to. */
export interface Taught {
  readonly question: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A read is identified by its body, a write by its number of statements, because its body contains the time. */
export function questionOf(target: string, body: string): string {
  if (/Get/.test(target)) return `${target} ${body}`;
  return `${target} ${(JSON.parse(body) as { Statements?: unknown[] }).Statements?.length ?? 1}`;
}
