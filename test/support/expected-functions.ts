/** Derives from the tables every function that must be deployed, by physical name, with the permissions it needs. */
import { accountRoutes } from '../../contract/account/api.ts';
import { type Endpoint, isAudited, type Route } from '../../contract/define.ts';
import { allRoutes, fileName } from '../../contract/integration/api.ts';
import { accessChainNeeds, auditNeeds, type Needs, sessionNeeds } from '../../contract/system/needs.ts';
import { type Queue, queues } from '../../contract/system/queues.ts';
import { type Schedule, schedules } from '../../contract/system/schedules.ts';
import { type Stream, streams } from '../../contract/system/streams.ts';

export interface ExpectedFunction {
  readonly name: string;
  readonly needs: readonly Needs[];
  /** The event source, if it needs permissions of its own. */
  readonly source?: { readonly queue: string } | { readonly stream: Stream['store'] };
}

export function expectedFunctions(prefix: string): ExpectedFunction[] {
  return [
    ...allRoutes.map((row) => ({ name: `${prefix}-${fileName(row.operation)}`, needs: needsOf(row) })),
    { name: `${prefix}-route-not-found`, needs: [accessChainNeeds] },
    { name: `${prefix}-preflight`, needs: [] },
    ...accountRoutes.map((row) => ({ name: `${prefix}-account-${fileName(row.operation)}`, needs: needsOf(row) })),
    { name: `${prefix}-account-route-not-found`, needs: [accessChainNeeds] },
    ...Object.entries<Queue>(queues).map(([name, row]) => ({
      name: `${prefix}-${row.handler}-${name}`,
      needs: [row.needs],
      source: { queue: `${prefix}-${name}` },
    })),
    ...Object.entries<Stream>(streams).map(([operation, row]) => ({
      name: `${prefix}-${fileName(operation)}`,
      needs: [row.needs],
      source: { stream: row.store },
    })),
    ...Object.entries<Schedule>(schedules).map(([operation, row]) => ({
      name: `${prefix}-${fileName(operation)}`,
      needs: [row.needs],
    })),
  ];
}

/** The permissions of all endpoints, those of this endpoint, and those of the change log. */
function needsOf(row: Endpoint & Pick<Partial<Route>, 'session'>): readonly Needs[] {
  return [accessChainNeeds, row.needs, ...(isAudited(row) ? [auditNeeds] : []), ...(row.session ? [sessionNeeds] : [])];
}
