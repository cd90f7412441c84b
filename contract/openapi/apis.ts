/** The two APIs as their documents describe them: the texts that a document contains once. */
import { accountPrefix, accountRoutes } from '../account/api.ts';
import type { Endpoint } from '../define.ts';
import { commonAccountErrors, commonErrors, type ErrorCode } from '../errors.ts';
import { accountExamples, type Example, type Examples, examples } from '../examples.ts';
import { rateLimitHeaders, replacedKeyHeader, requestIdHeader } from '../headers.ts';
import { allRoutes, integrationPrefix } from '../integration/api.ts';

export type Json = Record<string, unknown>;

/** An endpoint of either API, with the name of its operation, and the scope or lowest role that it needs. */
export type DocumentedRoute = Endpoint & {
  readonly operation: string;
  readonly scope?: string | null;
  readonly role?: string;
  /** The right with which a session may also call it. */
  readonly session?: string;
};

interface Tag {
  readonly name: string;
  /** The noun for one resource. */
  readonly noun: string;
  readonly description: string;
}

/** One API as its document describes it. */
export interface Api {
  readonly title: string;
  readonly description: string;
  readonly prefix: string;
  readonly routes: readonly DocumentedRoute[];
  readonly commonErrors: readonly ErrorCode[];
  /** The refusals of its gateway before any function runs. */
  readonly gatewayErrors: { readonly 401?: string };
  /** The headers of every response. */
  readonly headers: readonly string[];
  readonly security: readonly Json[];
  readonly securitySchemes: Json;
  /** The tags by the first segment of the path. */
  readonly tags: Readonly<Record<string, Tag>>;
  /** Examples of requests and responses, by operation. */
  readonly examples: Readonly<Record<string, Example>>;
  /** The recorded errors, by code. Without it the document shows no examples of errors. */
  readonly errorExamples?: Examples['errors'] | undefined;
  /** Whether a header of the request selects the mode. */
  readonly takesMode: boolean;
  /** Whether this API sends events to webhooks. */
  readonly pushesEvents: boolean;
}

export const integrationApi: Api = {
  title: 'Booking integration API',
  description:
    'Read a business, its services, staff, free slots, bookings and reviews; create and cancel bookings; and have events pushed to your webhooks.\n\nEvery request contains an API key, or the token of a session. Times are ISO 8601, amounts are minor units, ids are integers. Responses and events may gain fields: ignore fields that you do not know. Examples of lists show the first entries only.',
  prefix: integrationPrefix,
  routes: allRoutes,
  commonErrors,
  gatewayErrors: {},
  headers: [...rateLimitHeaders, requestIdHeader, replacedKeyHeader],
  security: [{ apiKey: [] }, { bearer: [] }],
  securitySchemes: {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key. Recommended.' },
    bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
  },
  tags: {
    business: { name: 'Business', noun: 'business', description: 'The business that the API key belongs to.' },
    services: {
      name: 'Services',
      noun: 'service',
      description: 'What can be booked, how long it takes and what it costs.',
    },
    staff: { name: 'Staff', noun: 'staff member', description: 'Who does the services.' },
    slots: { name: 'Slots', noun: 'slot', description: 'Free times, and holds that reserve one for some minutes.' },
    bookings: { name: 'Bookings', noun: 'booking', description: 'Appointments: list, create, move and cancel them.' },
    sessions: { name: 'Sessions', noun: 'session', description: 'What a browser uses in place of an API key.' },
    clients: { name: 'Clients', noun: 'client', description: 'The people who book.' },
    reviews: { name: 'Reviews', noun: 'review', description: 'What clients say of their visits.' },
    mcp: {
      name: 'Agents',
      noun: 'message',
      description: 'Operations of this API as tools for AI agents (Model Context Protocol).',
    },
    webhooks: {
      name: 'Webhooks',
      noun: 'webhook',
      description: 'Subscriptions to events, and the record of every delivery.',
    },
    deliveries: { name: 'Deliveries', noun: 'delivery', description: 'The deliveries of all webhooks.' },
    requests: { name: 'Requests', noun: 'request', description: 'Recent requests with an API key, and their results.' },
  },
  examples: examples.operations,
  errorExamples: examples.errors,
  takesMode: false,
  pushesEvents: true,
};

export const accountApi: Api = {
  title: 'Booking account API',
  description:
    'What the owner of a business and their team do: services, staff and schedules, clients, bookings, reviews, payments, API keys and webhooks. The token determines the business. Examples of lists show the first entries only.',
  prefix: accountPrefix,
  routes: accountRoutes,
  commonErrors: commonAccountErrors,
  gatewayErrors: { 401: 'The token is missing, expired or not valid. The gateway sends this response.' },
  headers: [...rateLimitHeaders, requestIdHeader],
  security: [{ ownerToken: [] }],
  securitySchemes: {
    ownerToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The ID token of a signed-in owner, with the claim `custom:businessId`.',
    },
  },
  tags: {
    audit: { name: 'Changes', noun: 'change', description: 'Who changed what.' },
    me: { name: 'Me', noun: 'owner', description: 'The owner who is signed in.' },
    business: {
      name: 'Business',
      noun: 'business',
      description: 'Name, contacts, hours and booking rules of the business.',
    },
    services: {
      name: 'Services',
      noun: 'service',
      description: 'What can be booked, how long it takes and what it costs.',
    },
    staff: { name: 'Staff', noun: 'staff member', description: 'Who does the services, and when they work.' },
    resources: { name: 'Resources', noun: 'resource', description: 'Rooms and other things that bookings need.' },
    clients: { name: 'Clients', noun: 'client', description: 'The people who book.' },
    slots: { name: 'Slots', noun: 'slot', description: 'Free times, as integrators see them.' },
    bookings: { name: 'Bookings', noun: 'booking', description: 'Appointments: create, confirm, move, cancel them.' },
    reviews: { name: 'Reviews', noun: 'review', description: 'What clients say of their visits, and replies.' },
    payments: { name: 'Payments', noun: 'payment', description: 'Money that was received and refunded.' },
    team: { name: 'Team', noun: 'colleague', description: 'Colleagues who sign in, and the role of each.' },
    'api-keys': {
      name: 'API keys',
      noun: 'API key',
      description: 'Keys for integrations: what each may do and how it is used.',
    },
    webhooks: {
      name: 'Webhooks',
      noun: 'webhook',
      description: 'The webhooks of every API key, and their deliveries.',
    },
    statistics: { name: 'Statistics', noun: 'day', description: 'Bookings, revenue and occupancy by day.' },
    deliveries: { name: 'Deliveries', noun: 'delivery', description: 'The deliveries of all webhooks.' },
    requests: { name: 'Requests', noun: 'request', description: 'Recent requests with an API key, and their results.' },
    sandbox: {
      name: 'Sandbox',
      noun: 'sandbox',
      description: 'The copy of the business in which everything can be tried.',
    },
  },
  examples: accountExamples,
  takesMode: true,
  pushesEvents: false,
};
