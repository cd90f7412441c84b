/** The page shown when the console cannot start. */
import { Alert, Anchor } from '@mantine/core';
import { strings } from '../strings/strings.ts';
import { FrontPage } from './front-page.tsx';

export function CannotStart({ error }: { readonly error: unknown }) {
  return (
    <FrontPage title={strings.session.cannotStart}>
      <Alert color="red" role="alert">
        {error instanceof Error ? error.message : String(error)}
      </Alert>
      <Anchor href="/">{strings.app.retry}</Anchor>
    </FrontPage>
  );
}
