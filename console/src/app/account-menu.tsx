/** The menu with the signed-in owner, the language, and the sign-out. */
import { ActionIcon, Menu, Text } from '@mantine/core';
import { BookOpen, LogOut, UserRound } from 'lucide-react';
import { useApi } from '../api/hooks.ts';
import { chooseLanguage, type Language, language, languageNames } from '../format/language.ts';
import { useSession } from '../session/session-context.ts';
import { strings } from '../strings/strings.ts';

export function AccountMenu() {
  const session = useSession();
  const { data: me } = useApi('getMe', undefined);
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label={strings.app.account}>
          <UserRound size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {me?.business?.name ?? strings.app.noBusiness}
          </Text>
          <Text size="xs" truncate>
            {me?.email ?? me?.subject}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{strings.app.language}</Menu.Label>
        <Menu.RadioGroup value={language()} onChange={(code) => chooseLanguage(code as Language)}>
          {languageNames.map(([code, name]) => (
            <Menu.RadioItem key={code} value={code} lang={code}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item component="a" href="/docs/start/" leftSection={<BookOpen size={16} />}>
          {strings.app.documentation}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => void session.signOut()}>
          {strings.session.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
