/** Everything above the screens: the session, the API, and what is kept of its answers. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type Answer, type Api, createApi, type Input } from '../api/call.ts';
import { ApiContext, createQueryClient, question, type ReadId } from '../api/hooks.ts';
import { latest } from '../format/clock.ts';
import { timesIn } from '../format/times.ts';
import { overviewQuestions, questionsOfDay } from '../screens/overview/questions.ts';
import type { Session } from '../session/session.ts';
import { SessionContext } from '../session/session-context.ts';
import { mode } from './mode.ts';
import { router } from './router.tsx';

/** Screens stand without it. */
const Notices = lazy(() =>
  import('../parts/notices.tsx').then(
    ({ Notifications }) => ({ default: () => <Notifications position="bottom-right" /> }),
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
            <Notices />
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

/** When the screen of the address can be drawn: what waits for it while it is drawn would be drawn in another turn. */
export const ready = () => router.load();

/** A page has one session. Not a state of the component, which may be drawn more than once before it stands. */
let begun: Begun | undefined;

/** What every screen waits for, and what the first one asks without it, is asked before anything is drawn. */
export function begin(session: Session): Begun {
  begun ??= ask(createApi(mode, session));
  return begun;
}

function ask(api: Api): Begun {
  const queries = createQueryClient();
  const asked = <Id extends ReadId>(id: Id, input: Input<Id>) => queries.prefetchQuery(question(api, id, input));
  const business = question(api, 'getBusiness', undefined);
  const known = queries.prefetchQuery(business);
  if (router.latestLocation.pathname === '/') {
    const { keys, webhooks, unanswered } = overviewQuestions;
    void asked(...keys);
    void asked(...webhooks);
    void asked(...unanswered);
    void known.then(() => {
      const zone = queries.getQueryData<Answer<'getBusiness'>>(business.queryKey)?.timeZone;
      if (zone === undefined) return;
      const { bookings, pending, week } = questionsOfDay(timesIn(zone).day(latest()), zone);
      void asked(...bookings);
      void asked(...pending);
      void asked(...week);
    });
  }
  return { api, queries };
}
