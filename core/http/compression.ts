/**
 * Compresses long responses for callers that accept it. An HTTP API of API Gateway compresses nothing, and transfer is
 * the largest part of the cost of a list of slots (docs/cost.md).
 */
import { gzipSync } from 'node:zlib';
import type { Middleware } from './context.ts';

/** A shorter body fits into a few packets anyway. */
const leastBytes = 4_096;

/** Must be listed before the middleware that adds the headers: middlewares run in reverse order after the handler. */
export function compression(): Middleware {
  return {
    after: ({ event, response }) => {
      const { body, headers = {} } = response ?? {};
      if (!response || body === undefined || Buffer.byteLength(body) <= leastBytes) return;
      response.headers = { ...headers, Vary: `${headers.Vary}, Accept-Encoding` };
      if (!acceptsGzip(event.state.headers['accept-encoding'])) return;
      response.body = gzipSync(body).toString('base64');
      response.isBase64Encoded = true;
      response.headers['Content-Encoding'] = 'gzip';
      // Compression changes the bytes, so the strong tag becomes a weak one (RFC 9110 §8.8.1).
      if (headers.ETag !== undefined) response.headers.ETag = `W/${headers.ETag}`;
    },
  };
}

/** An encoding with a weight of 0 is excluded (RFC 9110 §12.5.3). */
function acceptsGzip(header = ''): boolean {
  return header.split(',').some((one) => {
    const [coding, weight = 'q=1'] = one.split(';').map((part) => part.trim().toLowerCase());
    return coding === 'gzip' && Number(weight.slice('q='.length)) > 0;
  });
}
