/** Renders the list of the emails that were sent in this run. */
import { escaped, page } from './pages.ts';

export interface KeptMail {
  /** The number of the email, from 1. */
  readonly number: number;
  readonly sentAt: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const style =
  'max-width:60rem;margin:3rem auto;padding:0 1rem}' +
  'table{width:100%;border-collapse:collapse;text-align:left}td,th{padding:.4rem .8rem .4rem 0;overflow-wrap:anywhere}';

/** Renders the list, newest first. */
export function mailList(mails: readonly KeptMail[], path: string): string {
  const rows = mails.toReversed().map(
    ({ number, sentAt, to, subject }) => `<tr>
<td><time>${sentAt.slice(0, 19).replace('T', ' ')}</time></td><td>${escaped(to)}</td>
<td><a href="${path}/${number}.html">${escaped(subject)}</a></td><td><a href="${path}/${number}.txt">text</a></td>
</tr>`,
  );
  const list =
    rows.length > 0
      ? `<table><thead><tr><th>Sent (UTC)</th><th>To</th><th>Subject</th><th>As</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
      : '<p>No email was sent yet.</p>';
  return page('Emails', style, `<p>This machine sends none: they are kept here until it stops.</p>${list}`);
}
