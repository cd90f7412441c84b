/** Businesses of the two regions, and the requests of their clients and owners. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { eventNames } from '../../contract/events.ts';
import type { Booking } from '../../contract/integration/resources.ts';
import { scopeNames } from '../../contract/scopes.ts';
import type { BookingItem } from '../../core/bookings/booking.ts';
import { cancelBooking } from '../../core/bookings/cancel.ts';
import { updateClient } from '../../core/bookings/client-book.ts';
import { createBooking } from '../../core/bookings/create-booking.ts';
import { completeBooking, confirmBooking } from '../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../core/bookings/reschedule.ts';
import { newId, timestamp } from '../../core/clock.ts';
import { idempotently } from '../../core/idempotency/idempotently.ts';
import { recordPayment } from '../../core/payments/record-payment.ts';
import { refundPayment } from '../../core/payments/refund-payment.ts';
import { records, secrets } from '../../core/table-keys.ts';
import { registrationOf } from '../../core/webhooks/registry/registration.ts';
import { newWebhookItem } from '../../core/webhooks/registry/webhook.ts';
import type { Admin } from '../../local/admin.ts';
import { demoTenant, type Tenant } from '../../local/demo.ts';
import { createBusiness } from '../../local/seed.ts';
import type { Command, MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import { alwaysThere } from '../support/always-open.ts';
import { keyPrincipal, ownerPrincipal } from '../support/principals.ts';
import type { RegionChecker } from './checkers/regions.ts';
import { tables } from './environment.ts';
import type { Random } from './random.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';

const horizonDays = 20;
const slotMinutes = 30;
const minuteMs = 60_000;

interface Slot {
  readonly serviceId: number;
  readonly staffId: number;
  readonly startTime: string;
}

/** A business with one webhook that is called and one that is polled. */
export async function openBusiness(store: MemoryDynamo, now: number, random: Random): Promise<Tenant> {
  const admin = {
    db: { send: async (command: Command) => store.execute(command) },
    table: (name: keyof typeof tables) => tables[name],
  } as unknown as Admin;
  const { business: demo, ...rest } = demoTenant(now, newId);
  const rules = { slotStepMinutes: slotMinutes, minNoticeMinutes: 0, cancellationNoticeMinutes: 0 };
  const bookingRules = { ...demo.bookingRules, ...rules, confirmation: 'manual' as const };
  const business = { ...demo, timeZone: 'UTC', bookingRules };
  const times = { durationMinutes: slotMinutes, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 };
  const tenant = await createBusiness(admin, alwaysThere({ ...rest, business }, times));
  const { id: tenantId } = business;
  const put = (name: keyof typeof tables, Item: object) =>
    store.execute(new PutCommand({ TableName: tables[name], Item: { ...Item } }));
  const keyId = newId();
  put('records', { ...records.key(tenantId, keyId), id: keyId, tenantId, status: 'active', scopes: scopeNames });
  for (const delivery of ['push', 'poll'] as const) {
    const host = `receiver-${tenantId}.example.com`;
    const pushed = delivery === 'push' && { targetUrl: `https://${host}/hooks` };
    const webhook = newWebhookItem({ tenantId, keyId }, { delivery, ...pushed, events: [...eventNames] });
    put('deliveries', { ...webhook, ...(pushed && { answeredHost: host }) });
    put('deliveries', registrationOf(webhook));
    const secret = `whsec_${Buffer.from(random.bytes(32)).toString('base64')}`;
    put('secrets', { ...secrets.signing(webhook.id), secret });
  }
  return tenant;
}

export class RegionRequests {
  readonly #runtime: SimulatedRuntime;
  readonly #random: Random;
  readonly #checker: RegionChecker;
  readonly #tenants: readonly Tenant[];
  /** By business, the times that clients request next: times that were just booked or freed. */
  readonly #wanted = new Map<number, Slot[]>();
  readonly #payments = new Map<number, number[]>();

  constructor(runtime: SimulatedRuntime, random: Random, checker: RegionChecker, tenants: readonly Tenant[]) {
    this.#runtime = runtime;
    this.#random = random;
    this.#checker = checker;
    this.#tenants = tenants;
  }

  /** Sends any request. Returns its result, which may be a refusal. */
  async any(): Promise<string> {
    const tenant = this.#random.pick(this.#tenants);
    const { id: tenantId } = tenant.business;
    const owner = ownerPrincipal(tenantId);
    const known = this.#checker.bookingsOf(tenantId);
    const chosen = known.length > 0 && this.#random.chance(0.6) ? this.#random.pick(known.slice(-40)) : undefined;
    try {
      if (!chosen) return await this.#book(tenant);
      const { id } = chosen;
      const draw = this.#random.below(100);
      if (draw < 30) return await this.#freed(tenantId, await cancelBooking(owner, { id }, {}));
      if (draw < 55)
        return await this.#freed(tenantId, await rescheduleBooking(owner, { id }, this.#slot(tenant)), chosen);
      if (draw < 75) return String((await confirmBooking(owner, { id })).id);
      if (draw < 80) return String((await completeBooking(owner, { id })).id);
      if (draw < 88)
        return String((await updateClient(owner, { id: chosen.clientId }, { name: `Client ${this.#runtime.now}` })).id);
      const payments = this.#payments.get(tenantId) ?? [];
      if (draw < 95 || payments.length === 0) {
        const payment = await recordPayment(owner, { bookingId: id, amount: 1_000, method: 'card' } as never);
        this.#payments.set(tenantId, [...payments.slice(-20), payment.id]);
        return 'paid';
      }
      await refundPayment(owner, { id: this.#random.pick(payments) }, { amount: 100 } as never);
      return 'refunded';
    } catch (error) {
      return String(error);
    }
  }

  async #book(tenant: Tenant): Promise<string> {
    const { id: tenantId } = tenant.business;
    const client = { name: 'Jane', email: `jane-${this.#random.below(400)}@example.com` };
    const once = this.#random.chance(0.5) ? `key-${this.#runtime.current().id}` : undefined;
    const [key, body] = [keyPrincipal(tenantId, 1), { ...this.#slot(tenant), client } as never];
    const { value } = await idempotently(key, once, body, (commit) => createBooking(key, body, commit));
    return this.#freed(tenantId, value);
  }

  /** Adds the times that were just booked and freed to those that others request. */
  #freed(tenantId: number, booking: Booking, left: BookingItem | undefined = undefined): string {
    const { serviceId, staffId, startTime } = booking;
    const times = [{ serviceId, staffId, startTime }];
    if (left) times.push({ serviceId, staffId: left.segments[0].staffId, startTime: timestamp(left.start * minuteMs) });
    this.#wanted.set(tenantId, [...(this.#wanted.get(tenantId) ?? []).slice(-8), ...times]);
    return String(booking.id);
  }

  #slot({ business, services, staff }: Tenant): Slot {
    const wanted = this.#wanted.get(business.id) ?? [];
    if (wanted.length > 0 && this.#random.chance(0.5)) return this.#random.pick(wanted);
    const service = this.#random.pick(services);
    const staffId = this.#random.pick(service.staffIds.length > 0 ? service.staffIds : staff.map(({ id }) => id));
    const today = Math.ceil(this.#runtime.now / 86_400_000) * 86_400_000;
    const start = today + this.#random.below((horizonDays * 1_440) / slotMinutes) * slotMinutes * minuteMs;
    return { serviceId: service.id, staffId, startTime: timestamp(start) };
  }
}
