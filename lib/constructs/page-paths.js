/**
 * Runs at the edge before a page is looked up (CloudFront Functions, runtime 2.0). A path of the console returns its
 * page; a folder of the reference or of the customers' pages returns the page in it. A path with a dot in its last part
 * is a file, because paths of the console have none. Paths of an API are not found here. A missing page of the
 * reference is answered here, because an error page of the distribution would also replace errors of the API. The
 * runtime is ES 5.1 with some later syntax: it has neither destructuring nor spread, `for…of` or default arguments.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */
/** The folders beside those of assets, with the name of each page of the documentation; the stack inserts it. */
const published = PUBLISHED;
/** The first parts of the console's paths. Another path is not found, such as an endpoint that a robot looks for. */
const screens = SCREENS;

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name.
function handler(event) {
  const request = event.request;
  const path = request.uri;
  const isReference = /^\/(docs|book|manage)(\/|$)/.test(path);
  const isFile = /\.[^/]*$/.test(path);
  if (/^\/(v[0-9]+|api)(\/|$)/.test(path)) return request;
  if (path === '/.well-known/api-catalog') return catalog();
  // A customer whose link was damaged gets the page that explains it, and not links to the documentation.
  const customerPage = /^\/(book|manage)(?=\/|$)/.exec(path);
  if (customerPage && path !== `${customerPage[0]}/`) return movedTo(`${customerPage[0]}/`);
  if (isReference && !isFile && !path.endsWith('/')) return movedTo(`${path}/`);
  if (isReference && published[path] === undefined) return notFound(path);
  if (!isReference && !isFile && !screens.includes(`/${path.split('/')[1]}`)) return notFound(path);
  if (!isFile) request.uri = isReference ? `${path}index.html` : '/index.html';
  return request;
}

function movedTo(value) {
  return { statusCode: 301, statusDescription: 'Moved Permanently', headers: { location: { value } } };
}

/** Links to the APIs and their documents (RFC 9727). */
function catalog() {
  const linkset = [
    ['/v1/integration', 'openapi.json', '/docs/'],
    ['/v1/account', 'openapi-account.json', '/docs/account/'],
  ].map((row) => ({
    anchor: row[0],
    'service-desc': [{ href: `/${row[1]}`, type: 'application/json' }],
    'service-doc': [
      { href: row[2], type: 'text/html' },
      { href: '/llms.txt', type: 'text/plain' },
    ],
  }));
  const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
  return {
    statusCode: 200,
    statusDescription: 'OK',
    headers: { 'content-type': { value: type } },
    body: { encoding: 'text', data: JSON.stringify({ linkset }) },
  };
}

/** Returns a page without any part of the path, so that it cannot repeat content of a malicious link. */
function notFound(path) {
  const pages = Object.keys(published).filter((page) => published[page]);
  const words = path
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 3 && word !== 'docs');
  const near = pages.filter((page) => words.some((word) => page.includes(word.slice(0, 5))));
  // For a mistyped path the known screen is named, not the path.
  const screen = screens.find((one) => words.some((word) => one.startsWith(`/${word.slice(0, 5)}`))) || '/';
  const console = /^\/docs/.test(path) ? '' : `<p><a href="${screen}">Go to the console</a></p>`;
  const links = (near.length > 0 ? near : pages).map((page) => `<li><a href="${page}">${published[page]}</a></li>`);
  const data = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Page not found · Booking API</title>
<style>
body { max-width: 38rem; margin: 12vh auto; padding: 0 20px; font: 16px/1.6 system-ui, sans-serif; color: light-dark(#14211f, #e6efed); background: light-dark(#fbfcfc, #0e1514) }
h1 { line-height: 1.2 } a { color: light-dark(#0b665f, #5fdccb) } li { padding: 2px 0 }
</style></head>
<body><main><h1>This page does not exist</h1>${console}
<p>${near.length > 0 ? 'You may be looking for:' : 'The documentation has these pages:'}</p>
<ul>${links.join('')}</ul>
<p><a href="/docs/start/?search=">Search the documentation</a> · <a href="/docs/start/">Start of the documentation</a> · <a href="/">Sign in to the console</a></p>
</main></body></html>`;
  return {
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: { 'content-type': { value: 'text/html; charset=utf-8' } },
    body: { encoding: 'text', data },
  };
}
