/** The screens for whoever is signed in, the way in for everybody else, who waits for no screen. */
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { CannotStart } from './cannot-start.tsx';
import type { Session } from './session.ts';
import { SignIn } from './sign-in.tsx';

type Screens = typeof import('../app/app.tsx');
let loaded: Screens | undefined;

/** Loads what is above the screens, and the screen of the address. Whoever draws after it draws all of it at once. */
export async function loadScreens(): Promise<Screens> {
  const screens = await import('../app/app.tsx');
  await screens.ready();
  loaded = screens;
  return screens;
}

/** Screens that cannot be loaded say so: nothing stands yet that would. */
const LaterApp = lazy(() =>
  loadScreens().then(
    (module) => ({ default: module.App }),
    (error: unknown) => ({ default: () => <CannotStart error={error} /> }),
  ),
);

export function Entrance({ session }: { readonly session: Session }) {
  const state = useSyncExternalStore(session.subscribe, session.state);
  const [App] = useState(() => loaded?.App ?? LaterApp);
  if (state === 'signed-out') return <SignIn session={session} />;
  return (
    <Suspense>
      <App session={session} />
    </Suspense>
  );
}
