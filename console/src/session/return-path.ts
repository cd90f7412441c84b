/** Returns the page of the documentation that `/sign-in?from=/docs/start/` leads back to. */
export function docsPath(): string | undefined {
  const from = new URLSearchParams(location.search).get('from') ?? '';
  return /^\/docs\/[\w/-]*$/.test(from) ? from : undefined;
}
