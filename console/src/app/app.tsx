/** The providers above the screens: session, API, query cache and router. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type Api, createApi, type Input } from '../api/call.ts';
import {
  ApiContext,
  apiListOptions,
  apiQueryOptions,
  createQueryClient,
  type ReadId,
  wholeListOptions,
} from '../api/hooks.ts';
import { latest } from '../format/clock.ts';
import { timesIn } from '../format/times.ts';
import { overviewQueries, queriesOfDay } from '../screens/overview/queries.ts';
import type { Session } from '../session/session.ts';
import { SessionContext } from '../session/session-context.ts';
import { mode } from './mode.ts';
import { isAtLeast, storedRole } from './role.ts';
import { router } from './router.tsx';

/** Screens work without notifications. */
const Notifications = lazy(() =>
  import('../components/notifications.tsx').then(
    ({ Notifications }) => ({ default: () => <Notifications position="bottom-center" /> }),
    () => ({ default: () => <></> }),
  ),
);

export function App({ session }: { readonly session: Session }) {
  const { api, queries } = begin(session);
  return (
    <SessionContext value={session}>
      <ApiContext value={api}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <Suspense>
            <Notifications />
          </Suspense>
        </QueryClientProvider>
      </ApiContext>
    </SessionContext>
  );
}

interface Begun {
  readonly api: Api;
  readonly queries: QueryClient;
}

/** Resolves when the screen of the current address has loaded, so that it renders without suspending. */
export const ready = () => router.load();

/** A page has one session. Not component state, since React may render the component twice before it mounts. */
let begun: Begun | undefined;

/** Prefetches the business and the data of the first screen before anything renders. */
export function begin(session: Session): Begun {
  begun ??= ask(session);
  return begun;
}

function ask(session: Session): Begun {
  const api = createApi(mode, session);
  const queries = createQueryClient();
  // Reloads the data that could not be loaded while the session had ended.
  session.subscribe(() => session.state() === 'signed-in' && void queries.invalidateQueries());
  const prefetch = <Id extends ReadId>(id: Id, input: Input<Id>) =>
    queries.fetchQuery(apiQueryOptions(api, id, input)).catch(() => undefined);
  const me = prefetch('getMe', undefined);
  const business = prefetch('getBusiness', undefined);
  if (router.latestLocation.pathname === '/') {
    const { webhooks, unanswered } = overviewQueries;
    // Only data that the role may read is prefetched. On a first visit the role is unknown before the response.
    const role = Promise.resolve(storedRole(api) ?? me.then((found) => found?.role));
    void role.then((found) => {
      if (found && isAtLeast(found, 'owner')) {
        void queries.prefetchQuery(wholeListOptions(api, 'listApiKeys'));
        void prefetch(...webhooks);
      }
      if (found && isAtLeast(found, 'desk')) void queries.prefetchInfiniteQuery(apiListOptions(api, ...unanswered));
    });
    void Promise.all([business, role]).then(([known, found]) => {
      if (!known) return;
      const { bookings, pending, week } = queriesOfDay(timesIn(known.timeZone).day(latest()), known.timeZone);
      void prefetch(...bookings);
      void queries.prefetchInfiniteQuery(apiListOptions(api, ...pending));
      if (found && isAtLeast(found, 'desk')) void prefetch(...week);
    });
  }
  return { api, queries };
}
