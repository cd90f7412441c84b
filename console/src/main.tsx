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

try {
  const configuring = readConfig();
  // Beside the question who it is, and not after it. Without them nothing is lost yet: whoever draws them is told.
  if (mayBeSignedIn()) loadScreens().catch(() => undefined);
  const { session, returnTo } = await openSession(configuring);
  // Loaded once more, so that neither the code nor the issuer's path is left in the address or the history.
  if (returnTo === undefined) show(<Entrance session={session} />);
  else location.replace(returnTo);
} catch (error) {
  show(<CannotStart error={error} />);
}
