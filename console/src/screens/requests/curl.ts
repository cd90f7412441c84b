/** Converts a logged request to a curl command for a POSIX shell. The key, query and body are not logged. */
import type { Answer } from '../../api/call.ts';

type Logged = Pick<Answer<'listRequests'>['data'][number], 'method' | 'path' | 'apiKeyId'>;

/** Returns undefined for a request of the console or to an unknown path. `origin` is that of the API. */
export function curlOf({ method, path, apiKeyId }: Logged, origin: string): string | undefined {
  if (path === null || apiKeyId === null) return undefined;
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  return [
    `curl -X ${method} '${origin}${path}'`,
    `-H 'X-API-Key: YOUR_API_KEY'`,
    ...(hasBody ? [`-H 'Content-Type: application/json'`, `--data '{}'`] : []),
  ].join(' \\\n  ');
}
