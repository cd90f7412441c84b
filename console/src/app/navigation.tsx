/** The main menu. */
import { Box, NavLink, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { useApi } from '../api/hooks.ts';
import { useFirstSteps } from '../screens/overview/first-steps.tsx';
import { strings } from '../strings/strings.ts';
import { mode } from './mode.ts';
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
      <Begin />
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
                  py={5}
                  bdrs="md"
                />
              ))}
          </div>
        ))}
    </Box>
  );
}

/** A link to the first steps on every screen until they are done. */
function Begin() {
  const isOwner = useMay()('owner');
  const business = useApi('getBusiness', undefined);
  const isMissing = business.error?.code === 'not_found';
  const steps = useFirstSteps() ?? [];
  const done = steps.filter(([, isDone]) => isDone).length;
  if (!isOwner || mode === 'test' || (!isMissing && done === steps.length)) return null;
  const { title, progress } = strings.overview.steps;
  return (
    <NavLink
      renderRoot={(props) => <Link to="/" {...props} />}
      label={title}
      description={steps.length > 0 && progress(done, steps.length)}
      leftSection={<Rocket size={18} strokeWidth={1.75} />}
      variant="subtle"
      active
      mt="sm"
      bdrs="md"
    />
  );
}
