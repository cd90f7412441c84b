/**
 * Assigns handler files to rows. Handlers are found by file name and never imported: the row `createWebhook` is
 * `functions/api/create-webhook.ts`, the queue row `events` names `functions/queues/plan-deliveries.ts`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileName } from '../contract/integration/api.ts';
import { noticesQueue, type Queue, queues } from '../contract/system/queues.ts';
import { schedules } from '../contract/system/schedules.ts';
import { streams } from '../contract/system/streams.ts';
import { type Api, apis } from './apis.ts';
import { routeKeyOf } from './route-keys.ts';

type HandlerKind = Api['folder'] | 'queues' | 'streams' | 'schedules';

/** `<kind>/<file without its ending>`, such as `api/create-webhook`: a handler's file and its bundle. */
export type HandlerName = `${HandlerKind}/${string}`;

interface Handler {
  readonly name: HandlerName;
  /** The row or rule that requires the handler, for the message when its file is missing. */
  readonly wantedBy: string;
}

export const handlerOf = {
  route: ({ folder }: Api, operation: string): HandlerName => `${folder}/${fileName(operation)}`,
  queue: (row: Queue): HandlerName => `queues/${row.handler}`,
  stream: (operation: string): HandlerName => `streams/${fileName(operation)}`,
  schedule: (operation: string): HandlerName => `schedules/${fileName(operation)}`,
};

function wanted(): Handler[] {
  return [
    ...Object.values<Api>(apis).flatMap((api) => [
      ...api.rows.map((row) => ({
        name: handlerOf.route(api, row.operation),
        wantedBy: `the row ${row.operation}, ${routeKeyOf(api.prefix, row)}`,
      })),
      ...api.extras.map(({ operation, routeKey }) => ({
        name: handlerOf.route(api, operation),
        wantedBy: `the route ${routeKey} of the stack ${api.id}`,
      })),
    ]),
    ...Object.entries<Queue>({ ...queues, notices: noticesQueue }).map(([name, row]) => ({
      name: handlerOf.queue(row),
      wantedBy: `the row ${name} of contract/system/queues.ts`,
    })),
    ...Object.keys(streams).map((name) => ({
      name: handlerOf.stream(name),
      wantedBy: `the row ${name} of contract/system/streams.ts`,
    })),
    ...Object.keys(schedules).map((name) => ({
      name: handlerOf.schedule(name),
      wantedBy: `the row ${name} of contract/system/schedules.ts`,
    })),
  ];
}

/** Every handler that a row names, once, even if rows share it. */
export const handlers: readonly Handler[] = [...new Map(wanted().map((handler) => [handler.name, handler])).values()];

export function sourceFile(functionsFolder: string, name: HandlerName): string {
  return join(functionsFolder, `${name}.ts`);
}

/** Throws one error that lists all missing handler files. */
export function assertHandlersExist(functionsFolder: string): void {
  const missing = handlers.filter(({ name }) => !existsSync(sourceFile(functionsFolder, name)));
  if (missing.length === 0) return;
  const lines = missing.map(({ name, wantedBy }) => `  functions/${name}.ts, for ${wantedBy}`);
  throw new Error(`Handler files are missing. Write each, exporting \`handler\`:\n${lines.join('\n')}`);
}

/** Whether the handler calls receivers of integrators. */
export function callsReceivers(name: HandlerName): boolean {
  return /\/(?:deliver|ping)-webhook$/.test(name);
}

/** The handlers whose failure integrators would notice first, for canary deployments. */
export const canaryHandlers: readonly HandlerName[] = [
  'api/create-booking',
  'api/list-slots',
  'queues/deliver-webhook',
];
