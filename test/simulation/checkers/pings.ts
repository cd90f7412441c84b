/** Checks that a ping has one record and one request, both by the called function, and no other effects. */
import { isDeepStrictEqual } from 'node:util';
import { eventExamples } from '../../../contract/event-examples.ts';
import { type EventName, events } from '../../../contract/events.ts';
import { revivedAfterMs } from '../../../core/deliveries/log/sweep.ts';
import { deliveryId } from '../../../core/deliveries/model/delivery-id.ts';
import type { AttemptItem } from '../../../core/deliveries/model/delivery-record.ts';
import type { SendRequest } from '../../../core/webhooks/sender/send.ts';
import type { Invocation } from '../simulated-runtime.ts';
import { Checker } from './checker.ts';
import { isGood, type Made } from './tracked.ts';

interface Ping {
  readonly begun: AttemptItem;
  readonly invocation: Invocation | undefined;
  request?: Made;
  ended?: true;
}

export class Pings extends Checker {
  readonly #pings = new Map<string, Ping>();

  began(record: AttemptItem): void {
    const { webhookId, id, deliveryId: name } = record;
    const { runtime, findings } = this.observed;
    if (name !== deliveryId(webhookId, id)) this.report(`${name} is not the id of ping ${webhookId} ${id}`);
    if (record.deliveryStatus !== 'pending' || record.attemptNumber !== 1)
      this.report(`${name}: a ping begins as ${record.deliveryStatus}, attempt ${record.attemptNumber}`);
    this.#pings.set(name, { begun: record, invocation: runtime.acting });
    findings.counts.pings.sent += 1;
    const webhook = this.webhooks.get(webhookId);
    if (webhook) webhook.open += 1;
    this.others.calls.pinged(record);
  }

  /** The function that sent it ends its record, or the sweeper, long after that function died. */
  changed(after: AttemptItem): void {
    const { webhookId, deliveryId: name, deliveryStatus } = after;
    const { runtime, findings } = this.observed;
    const ping = this.#pings.get(name);
    if (!ping || ping.ended) {
      this.report(`${name}: a ping became ${deliveryStatus} ${ping ? 'after its end' : 'without a beginning'}`);
      return;
    }
    ping.ended = true;
    const webhook = this.webhooks.get(webhookId);
    if (webhook) webhook.open -= 1;
    const { pings } = findings.counts;
    if (runtime.acting !== ping.invocation) {
      pings.brokenOff += 1;
      const age = runtime.now - Date.parse(after.createdAt);
      const isBrokenOff = deliveryStatus === 'failed' && after.errorMessage !== null && after.responseStatusCode === 0;
      if (!isBrokenOff || age < revivedAfterMs - runtime.clocksDifferByMs || ping.invocation?.alive)
        this.report(`${name}: a ping was ended as ${deliveryStatus} by another than its function`);
      return;
    }
    const outcome = ping.request?.outcome;
    const expected = isGood(outcome) ? 'success' : 'failed';
    if (!outcome || deliveryStatus !== expected) this.report(`${name}: a ping is on record as ${deliveryStatus}`);
    if (outcome?.kind === 'response' && after.responseStatusCode !== outcome.status)
      this.report(`${name}: a ping was answered ${outcome.status}, and not ${after.responseStatusCode}`);
    if (after.nextAttemptAt !== null) this.report(`${name}: a ping is to be repeated`);
    pings[expected] += 1;
  }

  knows(name: string): boolean {
    return this.#pings.has(name);
  }

  requestStarts(name: string, request: SendRequest): Made {
    const { runtime } = this.observed;
    const ping = this.#pings.get(name);
    if (!ping) throw new Error(`A request for a ping that is not there: ${name}`);
    const { now: startedAt, clock: startedByClock } = runtime;
    const start: Made = { attempt: 1, stale: false, invocation: runtime.current(), startedAt, startedByClock };
    if (ping.request) this.report(`${name}: a ping was sent twice`);
    if (ping.ended || ping.invocation !== start.invocation) this.report(`${name}: a ping was sent by another function`);
    this.#checkMessage(name, request, ping, start);
    ping.request = start;
    return start;
  }

  #checkMessage(name: string, request: SendRequest, { begun }: Ping, start: Made): void {
    const { id, event, timestamp, test, data } = JSON.parse(String(request.body));
    const sent = [id, event, timestamp].join(' ');
    if (sent !== [name, begun.event, begun.createdAt].join(' ')) this.report(`${name}: a ping contains ${sent}`);
    const isExample = event in events && isDeepStrictEqual(data, eventExamples[event as EventName]);
    if (event === 'ping' ? data?.webhookId !== begun.webhookId : !isExample || test !== true)
      this.report(`${name}: a ping of ${event} is not marked as a test, or is about something else`);
    const webhook = this.webhooks.get(begun.webhookId);
    if (webhook) this.checkSent(request, webhook, start);
  }
}
