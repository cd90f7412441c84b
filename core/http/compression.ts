/**
 * Long answers are compressed for callers that accept it. An HTTP API of API Gateway compresses nothing, and transfer is
 * the largest part of what a list of slots costs (docs/cost.md).
 */
import { gzipSync } from 'node:zlib';
import type { Middleware } from './context.ts';

/** Below this a body fits a few packets anyway. */
const leastBytes = 4_096;

/** Stands above the step that adds the headers, and so comes after it. */
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
      // The bytes are others: the tag no longer stands for them, but for what they say (RFC 9110 §8.8.1).
      if (headers.ETag !== undefined) response.headers.ETag = `W/${headers.ETag}`;
    },
  };
}

/** With a weight of 0 an encoding is named to be left out (RFC 9110 §12.5.3). */
function acceptsGzip(header = ''): boolean {
  return header.split(',').some((one) => {
    const [coding, weight = 'q=1'] = one.split(';').map((part) => part.trim().toLowerCase());
    return coding === 'gzip' && Number(weight.slice('q='.length)) > 0;
  });
}
