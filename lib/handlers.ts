/**
 * Which handler file belongs to which row. Handlers are found by file name and never imported: the row
 * `createWebhook` is `functions/api/create-webhook.ts`, the queue row `events` names `functions/queues/plan-deliveries.ts`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { accountRoutes } from '../contract/account-api.ts';
import { fileName, liveRoutes } from '../contract/api.ts';
import { type Queue, queues } from '../contract/queues.ts';
import { schedules } from '../contract/schedules.ts';
import { streams } from '../contract/streams.ts';

/** A folder of `functions/`. */
export type HandlerKind = 'api' | 'account' | 'queues' | 'streams' | 'schedules';

/** `<kind>/<file without its ending>`, such as `api/create-webhook`: a handler's file and its bundle. */
export type HandlerName = `${HandlerKind}/${string}`;

export interface Handler {
  readonly name: HandlerName;
  /** The row or rule that wants it, for the message when its file is missing. */
  readonly wantedBy: string;
}

/** The two functions of the integration API that serve no row of their own. */
export const routeNotFound: HandlerName = 'api/route-not-found';
export const preflight: HandlerName = 'api/preflight';
/** The one function of the account API that serves no row. */
export const accountRouteNotFound: HandlerName = 'account/route-not-found';

export const handlerOf = {
  route: (operation: string): HandlerName => `api/${fileName(operation)}`,
  account: (operation: string): HandlerName => `account/${fileName(operation)}`,
  queue: (row: Queue): HandlerName => `queues/${row.handler}`,
  stream: (operation: string): HandlerName => `streams/${fileName(operation)}`,
  schedule: (operation: string): HandlerName => `schedules/${fileName(operation)}`,
};

function wanted(): Handler[] {
  return [
    ...liveRoutes.map(({ operation }) => ({
      name: handlerOf.route(operation),
      wantedBy: `the live row ${operation} of contract/routes.ts`,
    })),
    { name: routeNotFound, wantedBy: 'the route $default of the integration API' },
    { name: preflight, wantedBy: 'the route OPTIONS of the integration API' },
    ...accountRoutes.map(({ operation }) => ({
      name: handlerOf.account(operation),
      wantedBy: `the row ${operation} of contract/account-routes.ts`,
    })),
    { name: accountRouteNotFound, wantedBy: 'the route $default of the account API' },
    ...Object.entries<Queue>(queues).map(([name, row]) => ({
      name: handlerOf.queue(row),
      wantedBy: `the row ${name} of contract/queues.ts`,
    })),
    ...Object.keys(streams).map((name) => ({
      name: handlerOf.stream(name),
      wantedBy: `the row ${name} of contract/streams.ts`,
    })),
    ...Object.keys(schedules).map((name) => ({
      name: handlerOf.schedule(name),
      wantedBy: `the row ${name} of contract/schedules.ts`,
    })),
  ];
}

/** Every handler that a row names, once, whichever rows share it. */
export const handlers: readonly Handler[] = [...new Map(wanted().map((handler) => [handler.name, handler])).values()];

export function sourceFile(functionsFolder: string, name: HandlerName): string {
  return join(functionsFolder, `${name}.ts`);
}

/** Throws one error that lists every handler file that a row expects and nobody wrote. */
export function assertHandlersExist(functionsFolder: string): void {
  const missing = handlers.filter(({ name }) => !existsSync(sourceFile(functionsFolder, name)));
  if (missing.length === 0) return;
  const lines = missing.map(({ name, wantedBy }) => `  functions/${name}.ts, for ${wantedBy}`);
  throw new Error(
    `Handler files are missing. Write each, exporting \`handler\`, or mark its row as planned:\n${lines.join('\n')}`,
  );
}
