/** The screens for whoever is signed in, the way in for everybody else, who waits for no screen. */
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { CannotStart } from './cannot-start.tsx';
import type { Session } from './session.ts';
import { SignIn } from './sign-in.tsx';

/** Loads what is above the screens, and the screen of the address. */
export const loadScreens = () => import('../app/app.tsx');

/** Screens that cannot be loaded say so: nothing stands yet that would. */
const App = lazy(() =>
  loadScreens().then(
    (module) => ({ default: module.App }),
    (error: unknown) => ({ default: () => <CannotStart error={error} /> }),
  ),
);

export function Entrance({ session }: { readonly session: Session }) {
  const state = useSyncExternalStore(session.subscribe, session.state);
  if (state === 'signed-out') return <SignIn session={session} />;
  return (
    <Suspense>
      <App session={session} />
    </Suspense>
  );
}
