/** Pages of the local run itself: text in one column, without scripts. */
import type { GatewayAnswer } from './http-event.ts';

const font = ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;';

/** Renders a page; `body` is HTML, and `style` completes the rule of the body element. */
export function page(title: string, style: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${font}${style}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The headers keep the page from running scripts or loading anything. */
export function pageAnswer(status: number, body: string, type = 'text/html'): GatewayAnswer {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  };
  return { status, headers, cookies: [], body: Buffer.from(body) };
}
