/**
 * Runs at the edge before a page is looked for (CloudFront Functions, runtime 2.0): a path of the console's own is its
 * page, a folder of the reference is the page in it. What has a dot in its last part is a file, and there or not: the
 * console's paths have none. Paths of an API that came here by mistake are nobody's.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name.
function handler(event) {
  const request = event.request;
  const path = request.uri;
  if (/^\/(v[0-9]+|api)(\/|$)/.test(path) || /\.[^/]*$/.test(path)) return request;
  const isReference = /^\/docs(\/|$)/.test(path);
  if (isReference && !path.endsWith('/')) {
    return { statusCode: 301, statusDescription: 'Moved Permanently', headers: { location: { value: `${path}/` } } };
  }
  request.uri = isReference ? `${path}index.html` : '/index.html';
  return request;
}
