/** Checks the webhooks' logs at the end: complete, without gaps, and with the attempts in order. */
import type { AttemptItem } from '../../../core/deliveries/model/delivery-record.ts';
import { deliveries } from '../../../core/table-keys.ts';
import { isDelivery, isOver, type Observed } from './tracked.ts';
import type { Subscriber, Webhooks } from './webhooks.ts';

export function checkLogs(observed: Observed, webhooks: Webhooks): void {
  for (const webhook of webhooks.all.values()) checkLog(observed, webhook);
}

function checkLog(observed: Observed, webhook: Subscriber): void {
  const { findings, store, tables } = observed;
  const { item, deleted } = webhook;
  const log = [...store.table(tables.deliveries).walk(undefined, deliveries.log(item.id))] as unknown as AttemptItem[];
  for (const records of Map.groupBy(log, (record) => record.deliveryId).values()) {
    if (records[0]?.trigger === 'ping') checkPing(observed, webhook, records);
    else checkDelivery(observed, webhook, records);
  }
  // Events that were planned while it was deleted may have used up a number.
  if (deleted) return;
  if (log.length !== item.lastNumber)
    findings.report(`webhook ${item.id}: ${log.length} records, last number ${item.lastNumber}`);
  for (const [i, { id, sk }] of log.entries()) {
    if (id !== i + 1 || sk !== deliveries.record(item.id, i + 1).sk)
      findings.report(`webhook ${item.id}: record ${i + 1} is ${id}`);
  }
}

function checkPing({ findings }: Observed, { deleted }: Subscriber, records: readonly AttemptItem[]): void {
  const [{ deliveryId = '', deliveryStatus = '' } = {}] = records;
  if (records.length !== 1) findings.report(`${deliveryId}: a ping has ${records.length} records`);
  if (deliveryStatus !== 'pending') return;
  if (deleted) findings.counts.pings.dropped += 1;
  else findings.report(`${deliveryId}: a ping ends as ${deliveryStatus}`);
}

/** The scheduled attempts come first, numbered from 1 to the last; the redeliveries continue the numbers. */
function checkDelivery({ findings }: Observed, { item, deleted }: Subscriber, records: AttemptItem[]): void {
  records.sort((a, b) => a.attemptNumber - b.attemptNumber);
  const [delivery] = records;
  if (!isDelivery(delivery) || delivery.trigger !== 'scheduled') {
    findings.report(`webhook ${item.id}: ${delivery?.deliveryId} has no first record`);
    return;
  }
  const { deliveryId: name, state, attempts } = delivery;
  const open = records.filter((record) => isDelivery(record) && !isOver(record));
  for (const record of open) {
    const what = record === delivery ? 'the delivery' : 'a redelivery';
    if (!deleted) findings.report(`${name}: ${what}, record ${record.id}, ends as ${record.deliveryStatus}`);
    else if (record === delivery) findings.counts.dropped += 1;
    else findings.counts.redeliveries.dropped += 1;
  }
  if (open.includes(delivery)) return;
  const named = [delivery.id, ...(delivery.laterRecords ?? [])].join();
  const there = records.map(({ id }) => id).join();
  if (named !== there) findings.report(`${name}: its records are ${there}, and it names ${named}`);
  if (records.length !== Math.max(1, attempts)) findings.report(`${name}: ${records.length} records of ${attempts}`);
  const scheduled = records.filter(({ trigger }) => trigger === 'scheduled');
  for (const [i, record] of records.entries()) {
    const { attemptNumber, deliveryStatus, trigger } = record;
    if (attemptNumber !== i + 1) findings.report(`${name}: attempt ${i + 1} is on record as ${attemptNumber}`);
    const isScheduled = i < scheduled.length;
    if (trigger !== (isScheduled ? 'scheduled' : 'manual')) findings.report(`${name}: attempt ${i + 1} is ${trigger}`);
    if (open.includes(record)) continue;
    const own = isDelivery(record) && !isScheduled ? record.state : state;
    const expected = i < scheduled.length - 1 ? 'retrying' : own;
    if (deliveryStatus !== expected) findings.report(`${name}: attempt ${i + 1} is on record as ${deliveryStatus}`);
  }
}
