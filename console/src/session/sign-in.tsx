/** The sign-in page. An address such as `/sign-in?as=owner@salon.example` redirects to the issuer at once. */
import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { chooseLanguage, language, languageNames } from '../format/language.ts';
import { strings } from '../strings/strings.ts';
import { FrontPage } from './front-page.tsx';
import { docsPath } from './return-path.ts';
import type { Session } from './session.ts';

const signInPath = '/sign-in';

export function SignIn({ session }: { readonly session: Session }) {
  const [leaving, setLeaving] = useState(false);
  const [failed, setFailed] = useState(false);

  const leave = () => {
    const isAsked = location.pathname === signInPath;
    const as = isAsked ? (new URLSearchParams(location.search).get('as') ?? undefined) : undefined;
    setLeaving(true);
    setFailed(false);
    session.signIn({ ...(isAsked && { returnTo: docsPath() ?? '/' }), ...(as && { as }) }).catch(() => {
      setLeaving(false);
      setFailed(true);
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: The address is checked once.
  useEffect(() => {
    if (location.pathname === signInPath) leave();
  }, []);

  return (
    <FrontPage title={strings.session.title}>
      <Text c="dimmed">{strings.session.intro}</Text>
      {session.isIssuerSignedIn() && (
        <Alert color="yellow" title={strings.session.halfSignedOut} role="status">
          {strings.session.halfSignedOutHint}
        </Alert>
      )}
      {failed && (
        <Alert color="red" title={strings.session.unreachable} role="alert">
          {strings.session.unreachableHint}
        </Alert>
      )}
      <Button size="md" leftSection={<LogIn size={18} />} loading={leaving} onClick={leave}>
        {strings.session.signIn}
      </Button>
      <Group component="nav" aria-label={strings.session.links} gap="lg">
        <Anchor href="/docs/start/">{strings.session.docs}</Anchor>
        <Anchor href="/docs/">{strings.session.reference}</Anchor>
      </Group>
      <Group component="nav" aria-label={strings.app.language} gap="lg">
        {languageNames.map(([code, name]) => (
          <Anchor
            key={code}
            component="button"
            lang={code}
            aria-current={code === language()}
            onClick={() => chooseLanguage(code)}
          >
            {name}
          </Anchor>
        ))}
      </Group>
    </FrontPage>
  );
}
