/** Shows the screens while an owner is signed in, and otherwise the sign-in page, which loads no screen. */
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { CannotStart } from './cannot-start.tsx';
import type { Session } from './session.ts';
import { SignIn } from './sign-in.tsx';

type Screens = typeof import('../app/app.tsx');
let loaded: Screens | undefined;

/** Loads the app and the current screen, so that both render at once. */
export async function loadScreens(): Promise<Screens> {
  const screens = await import('../app/app.tsx');
  await screens.ready();
  loaded = screens;
  return screens;
}

/** Reports itself if the screens fail to load, because no error boundary is mounted yet. */
const LaterApp = lazy(() =>
  loadScreens().then(
    (module) => ({ default: module.App }),
    (error: unknown) => ({ default: () => <CannotStart error={error} /> }),
  ),
);

export function SessionGate({ session }: { readonly session: Session }) {
  const state = useSyncExternalStore(session.subscribe, session.state);
  const [App] = useState(() => loaded?.App ?? LaterApp);
  if (state === 'signed-out') return <SignIn session={session} />;
  return (
    <Suspense>
      <App session={session} />
    </Suspense>
  );
}
