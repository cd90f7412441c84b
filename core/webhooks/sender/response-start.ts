/** The first bytes of a receiver's response, for the delivery record (docs/rules.md#delivery-records). */
import type { IncomingMessage } from 'node:http';
import { limits } from '../../../contract/limits.ts';

/**
 * The first `limits.responseKeptBytes` of the body as text. Reads at most `limits.responseReadBytes` and no longer than
 * `timeoutMs`; never rejects. A compressed body is not unpacked and gives "".
 */
export function responseStart(response: IncomingMessage, timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    const decoder = new TextDecoder();
    let text = '';
    let read = 0;
    const finish = (complete: boolean) => {
      clearTimeout(timer);
      // A character that the cut splits is left out; one that the receiver left unfinished shows as such.
      resolve(complete && read <= limits.responseKeptBytes ? text + decoder.decode() : text);
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    response.on('error', () => finish(false));
    response.once('close', () => finish(false));
    response.once('end', () => finish(true));
    if (isEncoded(response)) {
      finish(false);
      return;
    }
    response.on('data', (chunk: Buffer) => {
      const rest = limits.responseKeptBytes - read;
      if (rest > 0) text += decoder.decode(chunk.subarray(0, rest), { stream: true });
      read += chunk.byteLength;
      if (read >= limits.responseReadBytes) finish(false);
    });
  });
}

function isEncoded(response: IncomingMessage): boolean {
  const encoding = response.headers['content-encoding'];
  return encoding !== undefined && encoding.toLowerCase() !== 'identity';
}
