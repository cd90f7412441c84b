/** Begins: who is signed in, and then the screens, or the way to sign in. */
import './app/mantine.css';
import './app/global.css';
import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Looks } from './app/looks.tsx';
import { CannotStart } from './session/cannot-start.tsx';
import { readConfig } from './session/config.ts';
import { Entrance, loadScreens } from './session/entrance.tsx';
import { mayBeSignedIn, openSession } from './session/session.ts';

const root = createRoot(document.getElementById('root') ?? document.body);
/** In slices, between which the browser answers. */
const show = (content: ReactNode) =>
  startTransition(() =>
    root.render(
      <StrictMode>
        <Looks>{content}</Looks>
      </StrictMode>,
    ),
  );

/** No `await` of the module itself: the screens import from it, and would wait for it while it waits for them. */
async function start() {
  const configuring = readConfig();
  // Beside the question who it is, and not after it. Without them nothing is lost yet: whoever draws them is told.
  const loading = mayBeSignedIn() ? loadScreens().catch(() => undefined) : undefined;
  const { session, returnTo } = await openSession(configuring);
  // Loaded once more, so that neither the code nor the issuer's path is left in the address or the history.
  if (returnTo !== undefined) return location.replace(returnTo);
  const screens = await loading;
  if (session.state() === 'signed-in') screens?.begin(session);
  show(<Entrance session={session} />);
}

start().catch((error: unknown) => show(<CannotStart error={error} />));
