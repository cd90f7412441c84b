/** Converts a response to a value or an `ApiError`, whatever server it comes from. */
import { ApiError } from './errors.ts';

/** Bytes. Responses of the API are smaller; a larger one comes from something else. */
const answerMaxBytes = 16 * 1024 * 1024;

/** Returns the parsed body of a 2xx, or `undefined` without one. Throws an `ApiError` for any other response. */
export async function parseResponse(response: Response): Promise<unknown> {
  const { status, headers, ok } = response;
  const facts = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(headers.get('retry-after')),
  };
  const unexpected = (what: string, cause?: unknown) =>
    new ApiError({ ...facts, code: 'unexpected_response', message: `The response (${status}) ${what}.`, cause });

  // Following a redirect would send the key to its target.
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    throw unexpected('is a redirect, which is not followed: check the base URL');
  }
  if (status === 204) return undefined;
  const type = headers.get('content-type') ?? 'no type';
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
    throw unexpected(`is ${type} instead of JSON${status < 500 ? ': check the base URL' : ''}`);
  }
  const text = await readText(response, () => unexpected(`is larger than ${answerMaxBytes} bytes`));
  // This is the response to a notification over MCP.
  if (status === 202 && text === '') return undefined;
  const body = parsed(text, (cause) => unexpected('is not valid JSON', cause));
  if (typeof body !== 'object' || body === null) throw unexpected('is not a JSON object');
  if (ok) return body;

  const fields: Readonly<Record<string, unknown>> = { ...body };
  // The gateway's own errors have a message and no code.
  if (typeof fields.code !== 'string')
    throw unexpected(`has no error code. Its message: ${String(fields.message ?? 'none')}`);
  throw new ApiError({
    status,
    code: fields.code,
    message: String(fields.message ?? ''),
    details: fields.details,
    requestId: typeof fields.requestId === 'string' ? fields.requestId : facts.requestId,
    retryAfter: typeof fields.retryAfter === 'number' ? fields.retryAfter : facts.retryAfter,
  });
}

async function readText(response: Response, tooLarge: () => unknown): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > answerMaxBytes) throw tooLarge();
    text += decoder.decode(value, { stream: true });
  }
}

function parsed(text: string, broken: (cause: unknown) => unknown): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw broken(cause);
  }
}

/** `Retry-After` is seconds or a date (RFC 9110). */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
