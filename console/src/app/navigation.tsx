/** The way to every screen. */
import { NavLink, ScrollArea, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { strings } from '../strings/strings.ts';
import { screenGroups, screens } from './screens.ts';

export function Navigation() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isAt = (to: string) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`));
  return (
    <ScrollArea type="auto" flex={1}>
      {screenGroups.map((group) => (
        <div key={group}>
          <Text size="xs" fw={650} c="dimmed" px="sm" pt="md" pb={6} id={`group-${group}`}>
            {strings.app.groups[group]}
          </Text>
          {screens
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
    </ScrollArea>
  );
}
