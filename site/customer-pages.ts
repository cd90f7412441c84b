/** The pages that customers open, and the element in them (docs/rules.md#sessions). */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { elementPath } from './addresses.ts';
import type { AssetUrl } from './layout.ts';

/** A page with only the element. `browser/customer.ts` sets its session. */
export const customerPage = (title: string, asset: AssetUrl): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('customer.css')}">
<script src="${elementPath}" type="module"></script>
<script src="${asset('customer.js')}" type="module"></script>
</head>
<body><main><p id="business"></p><h1>${title}</h1><noscript><p>This page needs JavaScript.</p></noscript></main></body>
</html>
`;

/** Bundles the element for `<script type="module">` of other websites. */
export async function elementScript(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../client/src/element/booking-slots.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
