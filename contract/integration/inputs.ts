/**
 * Parts of requests in rows of both APIs. A schema that is exported becomes a component of the documents; one that an
 * exported function creates is written where a row uses it.
 */
import * as z from 'zod/mini';
import { eventName, eventNames } from '../event-names.ts';
import {
  cursorQuery,
  described,
  email,
  field,
  id,
  instant,
  limitQuery,
  metadata,
  metadataChanges,
  name,
  pathId,
  phone,
  queryId,
  queryInteger,
  text,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { bookingRights } from '../sessions.ts';
import { canonicalOrigin } from '../web-addresses.ts';
import { bookingStatus, deliveryModes, webhookFilter } from './resources.ts';

export function byId() {
  return z.strictObject({ id: field('Id of the resource.', pathId()) });
}

/**
 * Lets a check over several fields run even if one of them is invalid, so that all problems are listed at once
 * (docs/rules.md#errors).
 */
export function isObject({ value }: { readonly value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A change must contain at least one field. One of only unknown fields is not empty. */
export const someField = z.refine<object>((body) => Object.keys(body).length > 0, {
  error: 'at least one field is required',
  when: ({ issues }) => issues.length === 0,
});

export const clientFields = {
  name: field('Name of the client.', name()),
  phone: field('Phone with country code, such as `+371 2000 0000`: 4 to 15 digits.', z.optional(phone())),
  email: field('Email address.', z.optional(email())),
};

export const phoneOrEmail = z.refine<{ phone?: string | undefined; email?: string | undefined }>(
  ({ phone, email }) => Boolean(phone ?? email),
  { error: 'phone or email is required', when: isObject },
);

export const newClient = field(
  'A client. `phone` or `email` is required and identifies the client.',
  z.strictObject(clientFields).check(phoneOrEmail),
);

export function places() {
  return field(
    'Places to take of a service with a `capacity` of more than 1. Default: 1.',
    z.optional(z.int().check(z.minimum(1), z.maximum(limits.placesMax))),
  );
}

const dryRun = field(
  '`true`: the request gets its usual response but writes nothing, and `Idempotency-Key` is ignored. The limit of bookings for a phone or email is not checked. Default: `false`.',
  z.optional(z.boolean()),
);

/** One service, or the services of a visit, as `oneOrVisit` checks. */
export const serviceFields = {
  serviceId: field('Id of the service. Send either `serviceId` or `services`.', z.optional(id())),
  staffId: field(
    'Id of the staff member. Without `staffId`, a free staff member is chosen. Not with `services`.',
    z.optional(id()),
  ),
  services: field(
    'A visit: services in order, each of which begins when the previous one ends.',
    z.optional(
      z
        .array(
          z.strictObject({
            serviceId: field('Id of the service.', id()),
            staffId: field(
              'Id of the staff member. Without `staffId`, a free staff member is chosen.',
              z.optional(id()),
            ),
          }),
        )
        .check(z.minLength(limits.visitServicesMin), z.maxLength(limits.visitServicesMax)),
    ),
  ),
};

type OneOrVisit = { readonly [field in 'serviceId' | 'staffId' | 'places' | 'services']?: unknown };

/** Requires a service or a visit, and refuses fields of one with the other. */
export function oneOrVisit() {
  const alone = (field: 'staffId' | 'places') =>
    z.refine<OneOrVisit>((body) => body.services === undefined || body[field] === undefined, {
      error: 'cannot be combined with services',
      path: [field],
      when: isObject,
    });
  return [
    z.refine<OneOrVisit>(({ serviceId, services }) => (serviceId === undefined) !== (services === undefined), {
      error: 'exactly one of serviceId and services is required',
      path: ['serviceId'],
      when: isObject,
    }),
    alone('staffId'),
    alone('places'),
  ] as const;
}

/** A hold of one service requires the staff member of its slot. */
export const staffOfService = z.refine<{ serviceId?: unknown; staffId?: unknown }>(
  ({ serviceId, staffId }) => serviceId === undefined || staffId !== undefined,
  { error: 'is required with serviceId', path: ['staffId'], when: isObject },
);

/** A new booking in both APIs. Only the integration API adds `holdId`: a hold belongs to a key. */
export const bookingFields = {
  ...serviceFields,
  startTime: field('Start, with `Z` or any offset. Must be a listed slot.', instant()),
  client: field('The client, new or known. Send either `client` or `clientId`.', z.optional(newClient)),
  clientId: field('Id of a known client. Send either `clientId` or `client`.', z.optional(id())),
  places: places(),
  comment: field('Note of the client for the business.', z.optional(text(0, limits.textLength))),
  externalId: field(
    'Your own reference, which the booking and its events contain.',
    z.optional(text(1, limits.nameLength)),
  ),
  metadata: field(
    'Strings of your own, by name. The booking contains them, and its events do so for keys with `bookings:read`.',
    z.optional(metadata()),
  ),
  dryRun: dryRun,
};

export const oneClient = z.refine<{ client?: unknown; clientId?: unknown }>(
  (body) => (body.client === undefined) !== (body.clientId === undefined),
  { error: 'exactly one of client and clientId is required', path: ['client'], when: isObject },
);

export function cancellation() {
  return z.strictObject({
    reason: field('Reason, for the business and for your records.', z.optional(text(0, limits.textLength))),
  });
}

export function move() {
  return z.strictObject({
    startTime: field('New start, with `Z` or any offset. Must be a listed slot.', instant()),
    staffId: field(
      'Id of the new staff member, for all services of the booking. Default: the booking keeps its staff members.',
      z.optional(id()),
    ),
    dryRun: dryRun,
  });
}

export function bookingChanges() {
  return z
    .strictObject({
      metadata: field(
        'Strings to set, by name. Null removes a string; strings that are left out stay.',
        z.optional(metadataChanges()),
      ),
      externalId: field(
        'Your own reference; null removes the reference.',
        z.optional(z.nullable(text(1, limits.nameLength))),
      ),
      comment: field(
        'Note of the client for the business; null removes the note.',
        z.optional(z.nullable(text(0, limits.textLength))),
      ),
    })
    .check(someField);
}

export function ofStaff() {
  return field('Only entries of the staff member with this id.', z.optional(queryId()));
}

export function ofService() {
  return field('Only entries of the service with this id.', z.optional(queryId()));
}

/** Filters and page of `GET /bookings`. */
export function bookingsQuery() {
  return z.strictObject({
    from: field('Only bookings that start at this time or later.', z.optional(instant())),
    to: field('Only bookings that start before this time.', z.optional(instant())),
    status: field('Only bookings in this state.', z.optional(bookingStatus)),
    staffId: ofStaff(),
    serviceId: ofService(),
    clientId: field('Only entries of the client with this id.', z.optional(queryId())),
    externalId: field(
      `Only bookings with this \`externalId\`, the newest ${limits.idsPerList} at most.`,
      z.optional(text(1, limits.nameLength)),
    ),
    ids: field(
      `Only bookings with these ids: up to ${limits.idsPerList}, separated by commas, all on one page.`,
      z.optional(idList()),
    ),
    updatedFrom: field(
      'Only bookings that changed at this time or later. With `sort`, only the request for the first page uses this time.',
      z.optional(instant()),
    ),
    sort: sortQuery(),
    limit: limitQuery(),
    cursor: cursorQuery(),
  });
}

export const idListPattern = /^[1-9][0-9]{0,15}(?:,[1-9][0-9]{0,15})*$/;

/** `1,2,3` */
export function idList(min = 1, max: number = limits.idsPerList) {
  const error = `must be ${min} to ${max} ids, separated by commas`;
  return described(
    z.pipe(
      z.string().check(
        z.regex(idListPattern, { error }),
        z.maxLength(17 * max, { error }),
        z.refine((list: string) => list.split(',').length >= min && list.split(',').length <= max, { error }),
      ),
      z.transform((list: string) => list.split(',').map(Number)),
    ),
    { type: 'string' },
  );
}

/** The services to find slots for: one, or those of a visit. */
export const servicesQuery = {
  serviceId: field('Id of the service to book. Send either `serviceId` or `serviceIds`.', z.optional(queryId())),
  serviceIds: field(
    'Ids of several services, in order, separated by commas. Each begins when the previous one ends.',
    z.optional(idList(limits.visitServicesMin, limits.visitServicesMax)),
  ),
};

export const oneServiceOrVisit = z.refine<{ serviceId?: unknown; serviceIds?: unknown }>(
  ({ serviceId, serviceIds }) => (serviceId === undefined) !== (serviceIds === undefined),
  { error: 'exactly one of serviceId and serviceIds is required', path: ['serviceId'], when: isObject },
);

/** A visit takes one place, as in a booking. */
export const placesOfOneService = z.refine<{ serviceIds?: unknown; places?: unknown }>(
  ({ serviceIds, places }) => serviceIds === undefined || places === undefined,
  { error: 'cannot be combined with serviceIds', path: ['places'], when: isObject },
);

/** `staffIds` names a staff member for each service of a visit, instead of `staffId` for all of them. */
export function memberOfEach() {
  type List = readonly unknown[] | undefined;
  return z.refine<{ serviceIds?: List; staffId?: unknown; staffIds?: List }>(
    ({ serviceIds, staffId, staffIds }) =>
      staffIds === undefined || (staffId === undefined && staffIds.length === serviceIds?.length),
    { error: 'must be one for each of serviceIds, without staffId', path: ['staffIds'], when: isObject },
  );
}

/** Filters and page of `GET /clients`. */
export function clientsQuery() {
  return z.strictObject({
    phone: field('Only the client with this phone number; only digits are compared.', z.optional(phone())),
    email: field('Only the client with this email address, in upper or lower case.', z.optional(email())),
    updatedFrom: field(
      'Only clients that changed at this time or later. With `sort`, only the request for the first page uses this time.',
      z.optional(instant()),
    ),
    sort: sortQuery(),
    limit: limitQuery(),
    cursor: cursorQuery(),
  });
}

/** The order of changes, with which a copy of the list is kept up to date. */
function sortQuery() {
  return field(
    `\`updatedAt\`: in the order of changes, each entry at its newest change. Every page has a \`nextCursor\`; changes of the last ${limits.changesSettleSeconds} seconds appear later.`,
    z.optional(z.enum(['updatedAt'])),
  );
}

/** Filters and page of `GET /reviews`. */
export function reviewsQuery() {
  return z.strictObject({
    staffId: ofStaff(),
    serviceId: ofService(),
    minRating: field('Only reviews with at least this rating, 1 to 5.', z.optional(queryInteger(1, 5))),
    limit: limitQuery(),
    cursor: cursorQuery(),
  });
}

/** The events of a webhook: at least one known name, each once (docs/rules.md#webhooks). */
const eventSet = z.array(eventName).check(
  z.minLength(1),
  z.maxLength(eventNames.length),
  z.refine((names: string[]) => new Set(names).size === names.length, { error: 'must not name an event twice' }),
);

const targetUrl = z.string().check(
  z.minLength(1),
  z.maxLength(limits.targetUrlLength),
  z.refine((text: string) => /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?#]|$))/i.test(text), {
    error: 'must be an https URL',
  }),
);

const webhookDescription = text(0, limits.webhookDescriptionLength);

/** The fields of a new webhook in both APIs. */
export const newWebhookFields = {
  delivery: field(
    '`poll`: you read the messages from the feed of the webhook. Cannot be changed later. Default: `push`.',
    z.optional(z.enum(deliveryModes)),
  ),
  targetUrl: field(
    'https address of your server, port 443 or at least 1024. Required if `delivery` is `push`, not allowed with `poll`.',
    z.optional(targetUrl),
  ),
  events: field('Events to send, each once.', eventSet),
  description: field('Your own note.', z.optional(webhookDescription)),
  filter: field('Limits the events to some services or staff members.', z.optional(webhookFilter)),
};

/** Messages are either sent to an address or, without one, read from the feed. */
export const oneWayOut = z.refine<{ delivery?: string | undefined; targetUrl?: string | undefined }>(
  ({ delivery = 'push', targetUrl }) => (delivery === 'poll') === (targetUrl === undefined),
  { error: 'is required if delivery is push, and not allowed if it is poll', path: ['targetUrl'], when: isObject },
);

export function webhookChanges() {
  return z
    .strictObject({
      targetUrl: field('New address, used from the next attempt on.', z.optional(targetUrl)),
      events: field('Replaces the events the webhook is subscribed to.', z.optional(eventSet)),
      description: field('Your own note.', z.optional(webhookDescription)),
      filter: field('Replaces the filter; null removes the filter.', z.optional(z.nullable(webhookFilter))),
      status: field(
        '`active` enables a failed webhook again.',
        z.optional(z.literal('active', { error: 'can only be set to active' })),
      ),
    })
    .check(someField);
}

/** The fields by `kind`; other fields are refused with their name. */
const fieldsOfSession = {
  booker: ['serviceIds', 'staffIds', 'bookings', 'externalId'],
  booking: ['bookingId', 'may'],
} as const;
type SessionKind = keyof typeof fieldsOfSession;

/** What a session or link may do with one booking. */
export function rightsToBooking() {
  return field(
    'Actions that are allowed with the booking. Default: all. The booking element and the page of `url` need `read`.',
    z.optional(z.array(z.enum(bookingRights)).check(z.minLength(1), z.maxLength(bookingRights.length))),
  );
}

export function sessionSeconds(max: number) {
  return field(
    `Lifetime in seconds. Default: ${limits.sessionSecondsDefault}.`,
    z.optional(z.int().check(z.minimum(limits.sessionSecondsMin), z.maximum(max))),
  );
}

/** docs/rules.md#sessions. */
export function newSession() {
  const ids = () => z.optional(z.array(id()).check(z.minLength(1), z.maxLength(limits.sessionIdsMax)));
  const { booker, booking } = limits.sessionSecondsMax;
  return z
    .strictObject({
      kind: field(
        '`booker`: a visitor who books. `booking`: a client who manages one booking.',
        z.enum(['booker', 'booking']),
      ),
      serviceIds: field('For a booker: the services that the session may use. Default: all.', ids()),
      staffIds: field('For a booker: the staff members that the session may use. Default: all.', ids()),
      bookings: field(
        'For a booker: how many bookings the session may make. Default: 1.',
        z.optional(z.int().check(z.minimum(1), z.maximum(limits.sessionBookingsMax))),
      ),
      externalId: field(
        'For a booker: the `externalId` of all its bookings, which a booking request cannot replace.',
        z.optional(text(1, limits.nameLength)),
      ),
      bookingId: field('Id of the booking that the session manages. Required with `booking`.', z.optional(id())),
      may: rightsToBooking(),
      origin: field(
        'Only pages of this origin may use the session. Default: any.',
        z.optional(
          z.string().check(
            z.maxLength(253 + 16),
            z.refine((text: string) => /^https?:\/\/[^*]*$/i.test(text) && canonicalOrigin(text) !== undefined, {
              error: 'must be an origin such as https://example.com',
            }),
            z.overwrite((text: string) => canonicalOrigin(text) ?? text),
          ),
        ),
      ),
      expiresInSeconds: field(
        `Lifetime of the session in seconds, for a booker at most ${booker}. Default: ${limits.sessionSecondsDefault}.`,
        sessionSeconds(booking),
      ),
    })
    .check((context) => {
      const body = context.value as Record<string, unknown> & { readonly kind: SessionKind };
      const refuse = (path: string, message: string) =>
        context.issues.push({ code: 'custom', input: body, path: [path], message });
      const other: SessionKind = body.kind === 'booker' ? 'booking' : 'booker';
      for (const field of fieldsOfSession[other]) {
        if (body[field] !== undefined) refuse(field, `is allowed only for the kind ${other}`);
      }
      if (body.kind === 'booking' && body.bookingId === undefined) refuse('bookingId', 'is required');
      if (body.kind === 'booker' && Number(body.expiresInSeconds ?? 0) > booker) {
        refuse('expiresInSeconds', `must be at most ${booker} for a booker`);
      }
    });
}
