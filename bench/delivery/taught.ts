/** An answer of DynamoDB that was kept, and the question it belongs to. */
export interface Taught {
  readonly question: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What is asked is the body of a read, and of a write how many it is: it holds the time at which it was made. */
export function questionOf(target: string, body: string): string {
  if (/Get/.test(target)) return `${target} ${body}`;
  return `${target} ${(JSON.parse(body) as { Statements?: unknown[] }).Statements?.length ?? 1}`;
}
