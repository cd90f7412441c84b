/** The main menu. */
import { Box, NavLink, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { strings } from '../strings/strings.ts';
import { useMay } from './role.ts';
import { screenGroups, screens } from './screens.ts';
import { SearchButton } from './search-button.tsx';

export function Navigation() {
  const may = useMay();
  const visible = screens.filter(({ role }) => may(role));
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isAt = (to: string) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`));
  return (
    <Box flex={1} style={{ overflowY: 'auto' }}>
      <SearchButton />
      {screenGroups
        .filter((group) => visible.some((screen) => screen.group === group))
        .map((group) => (
          <div key={group}>
            <Text size="xs" fw={650} c="dimmed" px="sm" pt="md" pb={6} id={`group-${group}`}>
              {strings.app.groups[group]}
            </Text>
            {visible
              .filter((screen) => screen.group === group)
              .map(({ id, path: to, icon: Icon }) => (
                <NavLink
                  key={id}
                  renderRoot={(props) => <Link to={to} {...props} />}
                  label={strings.screens[id]}
                  leftSection={<Icon size={18} strokeWidth={1.75} />}
                  active={isAt(to)}
                  aria-current={isAt(to) ? 'page' : undefined}
                  py={7}
                  bdrs="md"
                />
              ))}
          </div>
        ))}
    </Box>
  );
}
