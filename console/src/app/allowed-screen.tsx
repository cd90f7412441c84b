/** Shows a screen to the roles that have it in the menu. Others, who entered its address, read the reason. */
import { useLocation } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { Page } from '../components/page.tsx';
import { strings } from '../strings/strings.ts';
import { useMay } from './role.ts';
import { screens } from './screens.ts';

export function AllowedScreen({ children }: { readonly children: ReactNode }) {
  const may = useMay();
  const name = useLocation({ select: ({ pathname }) => pathname.split('/')[1] ?? '' });
  const screen = screens.find(({ path }) => path === `/${name}`);
  if (!screen || may(screen.role)) return children;
  return (
    <Page title={strings.screens[screen.id]}>
      <EmptyState icon={Lock} title={strings.errors.role_not_allowed} hint={strings.app.roleHint} />
    </Page>
  );
}
