/** The calls of the page. Each makes one or two calls to the API with the necessary input only. */
// In your own project: from 'booking-integration-client'.
import { createClient, type Service } from '../../client/src/index.ts';

/** NAME and ADDRESS are this site's own: the scopes of a booking widget do not include reading the business. */
const { KEY, API, NAME = 'our salon', ADDRESS } = process.env;
if (!KEY || !API) {
  console.error('Set KEY to an API key and API to the base URL: KEY=bk_… API=https://…/v1/integration node server.ts');
  process.exit(1);
}

/** A visitor does not wait longer: show an error instead. */
const api = createClient({ baseUrl: API, apiKey: KEY, deadlineMs: 10_000, timeoutMs: 5_000, maxRetries: 2 });

/** The page shows a week at a time. The API lists up to 31 days. */
const daysShown = 7;
const dayMs = 86_400_000;
/** The catalogue seldom changes, and all visitors share 60 requests per minute. */
const shopAgeMs = 60_000;

export class BadRequest extends Error {}

type Call = (query: URLSearchParams, body: unknown) => Promise<unknown>;

export const calls: Readonly<Record<string, Call>> = {
  'GET /api/shop': () => shop(),

  'GET /api/slots': async (query) => {
    const from = query.get('from') ?? '';
    const day = Date.parse(`${from}T00:00:00Z`);
    if (Number.isNaN(day)) throw new BadRequest('from must be a date.');
    const staffId = query.get('staffId');
    const { data } = await api.listSlots({
      serviceId: integer(query.get('serviceId')),
      ...(staffId && { staffId: integer(staffId) }),
      from,
      to: new Date(day + (daysShown - 1) * dayMs).toISOString().slice(0, 10),
    });
    return { slots: data.map((slot) => ({ startTime: slot.startTime, staffId: slot.staffId })) };
  },

  'POST /api/hold': (_, body) => {
    const { serviceId, staffId, startTime } = fieldsOf(body);
    const slot = { serviceId: integer(serviceId), staffId: integer(staffId), startTime: String(startTime) };
    return api.createHold({ ...slot, minutes: 10 });
  },

  'POST /api/release': (_, body) => api.releaseHold({ holdId: holdIdOf(fieldsOf(body).holdId) }),

  'POST /api/book': async (_, body) => {
    const { serviceId, staffId, startTime, holdId, name, email, phone, comment, attempt } = fieldsOf(body);
    const booked = await api.createBooking(
      {
        serviceId: integer(serviceId),
        staffId: integer(staffId),
        startTime: String(startTime),
        client: {
          name: String(name),
          ...(email ? { email: String(email) } : {}),
          ...(phone ? { phone: String(phone) } : {}),
        },
        ...(comment ? { comment: String(comment) } : {}),
        ...(holdId ? { holdId: holdIdOf(holdId) } : {}),
      },
      // The page creates it once per booking, so a second try after a lost response does not book twice.
      { idempotencyKey: String(attempt) },
    );
    const { id, status, serviceName, staffName, price } = booked;
    return { id, status, serviceName, staffName, price, startTime: booked.startTime, endTime: booked.endTime };
  },
};

let kept: { readonly until: number; readonly shop: Promise<object> } | undefined;

function shop(): Promise<object> {
  if (kept && Date.now() < kept.until) return kept.shop;
  const fresh = loadShop();
  kept = { until: Date.now() + shopAgeMs, shop: fresh };
  fresh.catch(() => {
    kept = undefined;
  });
  return fresh;
}

async function loadShop(): Promise<object> {
  const [services, staff] = await Promise.all([
    all(api.listServices({ limit: 100 })),
    all(api.listStaff({ limit: 100 })),
  ]);
  const timeZone = await timeZoneOf(services);
  return {
    business: { name: NAME, address: ADDRESS, timeZone },
    /** The calendar's day where the business is. */
    today: new Intl.DateTimeFormat('en-CA', { timeZone }).format(),
    services: services
      .filter(({ active }) => active)
      .map(({ id, name, description, durationMinutes, price, staffIds }) => ({
        id,
        name,
        description,
        durationMinutes,
        price,
        staffIds,
      })),
    staff: staff.filter(({ active }) => active).map(({ id, name, position }) => ({ id, name, position })),
  };
}

/** Every list of slots says in which zone its dates are. A business without services has no times to show. */
async function timeZoneOf(services: readonly Service[]): Promise<string> {
  const service = services.find(({ active }) => active);
  if (!service) return 'UTC';
  const today = new Date().toISOString().slice(0, 10);
  return (await api.listSlots({ serviceId: service.id, from: today, to: today })).timeZone;
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list) found.push(one);
  return found;
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null) throw new BadRequest('Send an object.');
  return body as Record<string, unknown>;
}

/** It becomes a part of a path, so nothing but an id may pass. */
function holdIdOf(value: unknown): string {
  if (typeof value !== 'string' || !/^\w+$/.test(value)) throw new BadRequest('That is no hold.');
  return value;
}

function integer(value: unknown): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new BadRequest('An id is a number.');
  return number;
}
