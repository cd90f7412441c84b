/** Entry point: opens the session, then renders the screens or the sign-in page. */
import './app/mantine.css';
import './app/global.css';
import { MantineProvider } from '@mantine/core';
import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { consoleTheme } from './app/theme.ts';
import { copyWithoutIsolation } from './format/isolation.ts';
import { startLanguage } from './format/language.ts';
import { CannotStart } from './session/cannot-start.tsx';
import { readConfig } from './session/config.ts';
import { FrontPage } from './session/front-page.tsx';
import { mayBeSignedIn, openSession, passAnswer } from './session/session.ts';
import { loadScreens, SessionGate } from './session/session-gate.tsx';
import { loadTexts, strings } from './strings/strings.ts';

document.addEventListener('copy', copyWithoutIsolation);
const root = createRoot(document.getElementById('root') ?? document.body);
/** Renders in a transition, so that the browser stays responsive. */
const show = (content: ReactNode) =>
  startTransition(() =>
    root.render(
      <StrictMode>
        <MantineProvider theme={consoleTheme()} defaultColorScheme="auto">
          {content}
        </MantineProvider>
      </StrictMode>,
    ),
  );

/** A function, because the screens import this module: a top-level `await` would be a deadlock. */
async function start() {
  if (passAnswer()) {
    // The page is visible only if the browser does not let a page close its tab.
    await loadTexts(startLanguage());
    return show(<FrontPage title={strings.session.passed}>{strings.session.passedHint}</FrontPage>);
  }
  const configuring = readConfig();
  // The texts load in parallel with the session. A failure is reported when the screens are rendered.
  const translating = loadTexts(startLanguage());
  const loading = mayBeSignedIn() ? translating.then(loadScreens).catch(() => undefined) : undefined;
  const { session, returnTo } = await openSession(configuring);
  // Replaced, so that neither the code nor the sign-in path stays in the address or the history.
  if (returnTo !== undefined) return location.replace(returnTo);
  await translating;
  const screens = await loading;
  if (session.state() === 'signed-in') screens?.begin(session);
  show(<SessionGate session={session} />);
}

start().catch((error: unknown) => show(<CannotStart error={error} />));
