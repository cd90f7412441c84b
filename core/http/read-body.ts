/**
 * The body as parsed JSON, within its limits (docs/rules.md#requests). A row without a body ignores what is sent, since
 * many clients send `{}` with every POST; only its size is still checked.
 */
import type { Endpoint } from '../../contract/define.ts';
import { limits } from '../../contract/limits.ts';
import { fail } from '../errors.ts';
import type { HttpEvent, Middleware } from './exchange.ts';
import { nestsDeeperThan } from './json-depth.ts';

export function readBody({ body, bodyOptional }: Endpoint): Middleware {
  return {
    before: ({ event }) => {
      const bytes = bodyBytes(event);
      if (bytes.length > limits.bodyBytes) throw fail('payload_too_large');
      if (body === undefined) return;
      if (bytes.length > 0) event.exchange.body = parse(bytes, event.exchange.headers);
      else if (bodyOptional) event.exchange.body = {};
      else throw fail('invalid_json', { message: 'This endpoint needs a JSON body.' });
    },
  };
}

/** The gateway hands text over as it is, and everything else as base64. */
function bodyBytes({ body = '', isBase64Encoded }: HttpEvent): Buffer {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

function parse(bytes: Buffer, headers: HttpEvent['exchange']['headers']): unknown {
  if (!isJson(headers['content-type'])) throw fail('unsupported_media_type');
  if (!/^(?:identity)?$/i.test(headers['content-encoding']?.trim() ?? '')) {
    throw fail('unsupported_media_type', { message: 'Send the body without a Content-Encoding.' });
  }
  const text = decode(bytes);
  if (nestsDeeperThan(limits.bodyDepth, text)) {
    const message = `must not nest deeper than ${limits.bodyDepth} levels`;
    throw fail('validation_failed', { details: [{ path: '', message }] });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw fail('invalid_json');
  }
}

/** `application/json`, in UTF-8 if it names a charset at all: JSON has no other (RFC 8259). */
function isJson(contentType = ''): boolean {
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return (
    type === 'application/json' &&
    parameters.every((parameter) => !/^charset\s*=/.test(parameter) || /^charset="?utf-?8"?$/.test(parameter))
  );
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fail('invalid_json', { message: 'The request body is not valid UTF-8.' });
  }
}
