/**
 * The text and HTML of an email with notices: what happened, why, what to do, and a link. Pure. A name may contain any
 * text, so it is shortened, put on one line, and escaped.
 */
import { limits } from '../../contract/limits.ts';
import { filled, type NoticeRow, notices } from '../../contract/notices.ts';
import type { Mail } from '../mail/post-mail.ts';
import { shorten } from '../shorten.ts';
import type { NoticeItem } from './claim.ts';

const nameLength = 80;

/** A text as one short line without control characters, for the subject of an email. */
export function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > nameLength ? `${shorten(line, nameLength - 1).trimEnd()}…` : line;
}

type MailedNotice = Pick<
  NoticeItem,
  'kind' | 'id' | 'tenantId' | 'name' | 'business' | 'timeZone' | 'mode' | 'reason' | 'expiresAt' | 'address'
>;

interface MailText extends Omit<NoticeRow, 'path'> {
  readonly url: string | undefined;
}

/** The content of one email, for text and HTML. */
interface Content {
  readonly subject: string;
  readonly shown: readonly MailText[];
  /** The number of further notices, in words; empty if there are none. */
  readonly rest: string;
  /** The address of the console, to which `rest` refers. */
  readonly home: string | undefined;
  readonly about: readonly string[];
  /** The reason why the reader gets the email, and how to stop it. */
  readonly why: string;
}

/** `origin` is the origin of the console. */
function mailTextOf(
  { kind, id, name, business, timeZone, mode, reason = '', expiresAt }: MailedNotice,
  origin: string | undefined,
  isOfSeveral: boolean,
): MailText {
  const { path, ...row }: NoticeRow = notices[kind];
  const values = { name, reason, id, when: expiresAt === undefined ? '' : `on ${dayOf(expiresAt, timeZone)}` };
  const test = mode === 'test' ? ' (test mode)' : '';
  const of = isOfSeveral ? ` (${business})` : '';
  return {
    ...row,
    subject: filled(row.subject, values) + of + test,
    description: filled(row.description, values),
    url: origin && origin + (mode === 'test' ? '/test' : '') + filled(path, values),
  };
}

/** `8 December 2026, 14:30`, in the zone of the business. */
function dayOf(instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone });
  return `${format.format(Date.parse(instant)).replace(' at ', ', ')} (${timeZone})`;
}

const urgency: readonly NoticeRow['severity'][] = ['error', 'warning', 'good'];

/** One email with at least one notice: the most urgent first; notices that are not shown are counted. */
export function mailOf(items: readonly MailedNotice[], origin: string | undefined): Mail {
  const isOfOne = new Set(items.map(({ tenantId }) => tenantId)).size === 1;
  const all = items
    .map((item) => mailTextOf(item, origin, !isOfOne))
    .sort((a, b) => urgency.indexOf(a.severity) - urgency.indexOf(b.severity));
  const shown = all.slice(0, limits.noticesPerMail);
  const business = isOfOne ? (items[0]?.business ?? '') : '';
  const subject = `${shown[0]?.subject ?? ''}${all.length > 1 ? `, and ${count(all.length - 1)} more` : ''}`;
  const rest =
    all.length > shown.length ? `And ${count(all.length - shown.length)} more. The console shows all of them.` : '';
  const home = rest && origin ? `${origin}/` : undefined;
  const why = `You get this email because this address is set for emails about problems${business && ` of ${business}`}. To stop these emails, remove the address in the settings of the business or of the API key.`;
  const about = [...new Set(shown.map((one) => one.about))];
  const content = { subject, shown, rest, home, about, why };
  return { subject, text: textOf(content), html: htmlOf(content) };
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function textOf({ shown, rest, home, about, why }: Content): string {
  const blocks = shown.map(({ subject, description, advice, act, url }) =>
    [...(shown.length > 1 ? [subject, ''] : []), description, advice, ...(url ? ['', `${act}: ${url}`] : [])].join(
      '\n',
    ),
  );
  const more = rest ? [[rest, ...(home ? [home] : [])].join('\n')] : [];
  return `${[...blocks, ...more, ...about, `-- \n${why}`].join('\n\n')}\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const colors = {
  error: { light: '#c92a2a', dark: '#ff8787' },
  warning: { light: '#a35200', dark: '#ffc078' },
  good: { light: '#237a36', dark: '#8ce99a' },
} as const satisfies Record<NoticeRow['severity'], { readonly light: string; readonly dark: string }>;

/** Inline, for mail programs that ignore style sheets; only dark mode uses a style sheet. */
function htmlOf({ subject, shown, rest, home, about, why }: Content): string {
  const paragraph = (text: string, style = '') => `<p style="margin:0 0 12px;${style}">${text}</p>`;
  const link = (url: string, words: string) =>
    `<a class="act" href="${escaped(url)}" style="color:#0b7285">${words}</a>`;
  const blocks = shown.map(
    ({ severity, subject: heading, description, advice, act, url }) =>
      `<div class="card" style="background:#ffffff;border:1px solid #dee2e6;border-radius:8px;padding:20px;margin:0 0 16px">
<h1 class="${severity}" style="margin:0 0 12px;font-size:18px;line-height:1.3;color:${colors[severity].light}">${escaped(heading)}</h1>
${paragraph(escaped(description))}
${paragraph(escaped(advice), url ? '' : 'margin-bottom:0')}
${url ? paragraph(link(url, escaped(act)), 'margin-bottom:0;font-weight:600') : ''}
</div>`,
  );
  const dark = Object.entries(colors).map(([name, { dark }]) => `.${name}{color:${dark}!important}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
body,.page{background:#1a1b1e!important;color:#e9ecef!important}
.card{background:#25262b!important;border-color:#495057!important}
.why{color:#adb5bd!important}.act{color:#66d9e8!important}
${dark.join('\n')}
}
</style>
</head>
<body style="margin:0;background:#f1f3f5;color:#212529">
<div class="page" style="background:#f1f3f5;color:#212529;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:1.5;padding:24px 16px">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
${blocks.join('\n')}
${rest ? paragraph(escaped(rest) + (home ? ` ${link(home, 'Open the console')}` : '')) : ''}
${about.map((text) => paragraph(escaped(text))).join('\n')}
<p class="why" style="margin:0;font-size:13px;color:#5c636a">${escaped(why)}</p>
</div>
</div>
</body>
</html>
`;
}
