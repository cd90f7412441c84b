/**
 * The consumer of the queue `notices` (docs/rules.md#notices). Stores notices for events, sends one email with all
 * notices of an address at the end of a window, and marks addresses after a bounce or a complaint.
 */
import { limits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import { pagesOrigin } from '../env.ts';
import { log } from '../log.ts';
import { hashOfAddress, suppress } from '../mail/address.ts';
import { MailRefused, type Post, postMail } from '../mail/post-mail.ts';
import { sendEach } from '../queue/send-each.ts';
import { inPartition, queryAll } from '../store/read.ts';
import { conditionFailedAt, transact } from '../store/transact.ts';
import { put, putNew, remove, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { NoticeItem } from './claim.ts';
import { collect, ofExistingSubjects } from './collect.ts';
import { mailOf } from './mail.ts';
import type { NoticeMessage, WindowEnd } from './message.ts';
import { dayBefore, secondsToEnd } from './windows.ts';

/** Returns one promise for each message, in order. */
export function notify(messages: readonly NoticeMessage[], post: Post = postMail): readonly Promise<void>[] {
  return messages.map((message) => {
    if (message.is === 'events') return storeNotices(message);
    return message.is === 'returned' ? stop(message) : sendMail(message, post);
  });
}

/** Resolves when a message was sent for each window that ends with an email. */
async function storeNotices({ kind, events }: Extract<NoticeMessage, { is: 'events' }>): Promise<void> {
  const ends = await collect(kind, events);
  const at = now();
  const messages = ends.map((end) => {
    return { body: end, tenantId: end.tenantId, delaySeconds: secondsToEnd(end.window, at) };
  });
  const sent = await sendEach('notices', messages);
  if (sent.includes(false)) throw new Error('The message that ends a ten-minute window of notices was not sent');
}

async function stop({ reason, addresses }: Extract<NoticeMessage, { is: 'returned' }>): Promise<void> {
  for (const address of addresses) {
    await write(suppress(address, { reason, at: now() }));
    log.warn('Emails to an address were stopped after a bounce or complaint', {
      reason,
      address: hashOfAddress(address),
    });
  }
}

/**
 * Sends the one email of a window to an address. It is first recorded as sent, with a condition, so there is never a
 * second one. The record is deleted only if SES has refused the email. If the result is unclear, the email is not
 * repeated; the console shows the notices anyway.
 */
async function sendMail({ address, window }: WindowEnd, post: Post): Promise<void> {
  const items = await queryAll<{ sk: string; window?: number }>('records', {
    ...inPartition(records.noticesAt(address)),
    ConsistentRead: true,
  });
  const inWindow = await ofExistingSubjects(items.filter((item): item is NoticeItem => item.window === window));
  const due = newestOfEach(inWindow);
  const [to] = due;
  if (!to || items.some(({ sk }) => sk === records.addressOff(address).sk)) return;
  const dayAgo = records.noticeMail(address, dayBefore(window)).sk;
  const mails = items.filter(({ sk }) => sk.startsWith(records.noticeMailPrefix) && sk > dayAgo);
  if (mails.length >= limits.noticeMailsPerDay) {
    log.warn('An address has reached its daily limit of emails', { address, notices: due.length });
    return;
  }
  const mail = records.noticeMail(address, window);
  const { expiresAtSeconds } = to;
  if (!(await write(putNew('records', { ...mail, expiresAtSeconds })))) return;
  try {
    await post(to.address, mailOf(due, pagesOrigin()));
  } catch (error) {
    if (error instanceof MailRefused) {
      await write(remove('records', mail));
      throw error;
    }
    log.error('It is not known whether an email was sent', { address, error });
  }
  // A notice that was left out does not keep back the next one of its kind.
  for (const item of inWindow) {
    if (!due.includes(item)) await write(put('records', { ...item, until: 0 }, { eventId: item.eventId }));
  }
}

/** Of each webhook or key only the last notice in a window is current. Events may arrive in any order. */
function newestOfEach(items: readonly NoticeItem[]): readonly NoticeItem[] {
  const inOrder = items.toSorted((a, b) => a.eventId - b.eventId);
  return [...new Map(inOrder.map((item) => [item.id, item])).values()];
}

/** Whether the change was made. Throws if another write conflicted. */
async function write(one: Write): Promise<boolean> {
  const outcome = await transact([one]);
  if (outcome === 'committed') return true;
  if (conditionFailedAt(outcome, 0)) return false;
  throw new Error('Notices could not be written');
}
