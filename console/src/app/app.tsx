/** Everything above the screens: the session, the API, and what is kept of its answers. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { createApi } from '../api/call.ts';
import { ApiContext, createQueryClient } from '../api/hooks.ts';
import type { Session } from '../session/session.ts';
import { SessionContext } from '../session/session-context.ts';
import { mode } from './mode.ts';
import { router } from './router.tsx';

const Notifications = lazy(() => import('../parts/notices.tsx').then((module) => ({ default: module.Notifications })));

export function App({ session }: { readonly session: Session }) {
  const [api] = useState(() => createApi(mode, session));
  const [queries] = useState(createQueryClient);
  return (
    <SessionContext value={session}>
      <ApiContext value={api}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <Suspense>
            <Notifications position="bottom-right" />
          </Suspense>
        </QueryClientProvider>
      </ApiContext>
    </SessionContext>
  );
}
