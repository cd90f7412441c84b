/** Calls of this page's own server. Each resolves with the answer, or rejects with a `Refused`. */

export class Refused extends Error {
  /** @param {{ code: string, nextAvailable?: string[], fields?: string[] }} refusal */
  constructor(refusal) {
    super(refusal.code);
    this.code = refusal.code;
    this.nextAvailable = refusal.nextAvailable ?? [];
    this.fields = refusal.fields ?? [];
  }
}

/** @param {string} path @param {RequestInit} [init] */
async function call(path, init) {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(15_000) }).catch(() => {
    throw new Refused({ code: 'offline' });
  });
  const body = await response.json().catch(() => ({ code: 'internal_error' }));
  if (!response.ok) throw new Refused(body);
  return body;
}

/** @param {string} path @param {Record<string, unknown>} [query] */
export function get(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value);
  return call(`${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`);
}

/** @param {string} path @param {unknown} body */
export function post(path, body) {
  return call(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}
