/** Begins: who is signed in, and then the screens, or the way to sign in. */
import '@mantine/core/styles.css';
import './app/global.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { Looks } from './app/looks.tsx';
import { CannotStart } from './session/cannot-start.tsx';
import { readConfig } from './session/config.ts';
import { openSession } from './session/session.ts';

const root = createRoot(document.getElementById('root') ?? document.body);
const show = (content: ReactNode) =>
  root.render(
    <StrictMode>
      <Looks>{content}</Looks>
    </StrictMode>,
  );

try {
  const { session, returnTo } = await openSession(await readConfig());
  // Loaded once more, so that neither the code nor the issuer's path is left in the address or the history.
  if (returnTo === undefined) show(<App session={session} />);
  else location.replace(returnTo);
} catch (error) {
  show(<CannotStart error={error} />);
}
