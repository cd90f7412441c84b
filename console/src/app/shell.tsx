/** The frame of every screen: header, navigation, and a notice while the browser is offline. */
import { Alert, AppShell, Burger, Container, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure, useNetwork, useWindowEvent } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { WifiOff } from 'lucide-react';
import { lazy, type MouseEvent, Suspense, useDeferredValue, useEffect, useRef } from 'react';
import { AnchorLink } from '../components/link.tsx';
import { Loading } from '../components/loading.tsx';
import { Logo } from '../components/logo.tsx';
import { useSessionState } from '../session/session-context.ts';
import { strings } from '../strings/strings.ts';
import { AllowedScreen } from './allowed-screen.tsx';
import { WithBusiness } from './business.tsx';
import { mode } from './mode.ts';
import { Navigation } from './navigation.tsx';
import { TestModeBar } from './test-mode-bar.tsx';
import { useEscape } from './use-escape.ts';
import { useFocusedHeading } from './use-focused-heading.ts';
import { useKeptFocus } from './use-kept-focus.ts';

const headerHeight = 56;
const barHeight = 32;

/** The screen does not wait for these. */
const Menus = lazy(() => import('./menus.tsx').then((module) => ({ default: module.Menus })));
const SessionEnded = lazy(() =>
  import('../session/session-ended.tsx').then((module) => ({ default: module.SessionEnded })),
);

// Constant elements do not render again with the shell when the network or the menu changes.
const room = <Skeleton w={212} h={34} />;
const menus = (
  <Suspense fallback={room}>
    <Menus />
  </Suspense>
);
const navigation = <Navigation />;
const screen = (
  <WithBusiness>
    <AllowedScreen>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </AllowedScreen>
  </WithBusiness>
);

export function Shell() {
  useKeptFocus();
  useFocusedHeading();
  useEscape();
  const state = useSessionState();
  // The menus are rendered later, because they measure the page when they are drawn.
  const isFramed = useDeferredValue(true, false);
  const [opened, { toggle, close }] = useDisclosure();
  const { online } = useNetwork();
  const path = useLocation({ select: ({ pathname }) => pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: The menu closes when another screen opens.
  useEffect(close, [path]);
  const burger = useRef<HTMLButtonElement>(null);
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !opened || document.querySelector('[role=dialog]')) return;
    close();
    burger.current?.focus();
  });
  // The link of the current screen changes no path.
  const closeAfterLink = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a')) close();
  };

  return (
    <>
      <a href="#content" className="skip-link">
        {strings.app.skip}
      </a>
      <AppShell
        header={{ height: headerHeight + (mode === 'test' ? barHeight : 0) }}
        navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !opened } }}
        padding={{ base: 'md', sm: 'xl' }}
      >
        <AppShell.Header>
          {mode === 'test' && <TestModeBar height={barHeight} />}
          <Group h={headerHeight} px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger
                ref={burger}
                hiddenFrom="md"
                size="sm"
                opened={opened}
                onClick={toggle}
                aria-label={opened ? strings.app.closeMenu : strings.app.openMenu}
                aria-expanded={opened}
              />
              <AnchorLink className="home-link" c="inherit" underline="never" aria-label={strings.app.name} to="/">
                <Group gap="sm" wrap="nowrap">
                  <Logo />
                  <Text fw={650} visibleFrom="xs">
                    {strings.app.name}
                  </Text>
                </Group>
              </AnchorLink>
            </Group>
            <Group gap="xs" wrap="nowrap">
              {isFramed ? menus : room}
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" mod={{ closed: !opened }} aria-label={strings.app.navigation} onClick={closeAfterLink}>
          {navigation}
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <Container size="xl" px={0}>
            {!online && (
              <Alert color="yellow" icon={<WifiOff />} title={strings.app.offline} mb="lg" role="status">
                {strings.app.offlineHint}
              </Alert>
            )}
            {screen}
          </Container>
        </AppShell.Main>
      </AppShell>
      {state === 'ended' && (
        <Suspense>
          <SessionEnded />
        </Suspense>
      )}
    </>
  );
}
