/** Shows a screen if the role and the business allow it, and otherwise the reason why not. */
import { useLocation } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { NoBusiness } from '../components/no-business.tsx';
import { Page } from '../components/page.tsx';
import { strings } from '../strings/strings.ts';
import { useBusiness } from './business.tsx';
import { useMay } from './role.ts';
import { type Screen, screens } from './screens.ts';

/** Whether the screen works without a business. */
const isIndependent = ({ id, group }: Screen) => group === 'developers' || id === 'settings' || id === 'team';

export function AllowedScreen({ children }: { readonly children: ReactNode }) {
  const may = useMay();
  const name = useLocation({ select: ({ pathname }) => pathname.split('/')[1] ?? '' });
  const screen = screens.find(({ path }) => path === `/${name}`);
  const business = useBusiness();
  if (!screen || (may(screen.role) && (business || isIndependent(screen)))) return children;
  const title = strings.screens[screen.id];
  if (may(screen.role)) {
    const texts: object = strings[screen.id];
    return (
      <Page title={title} description={'intro' in texts && typeof texts.intro === 'string' && texts.intro}>
        <NoBusiness />
      </Page>
    );
  }
  return (
    <Page title={title}>
      <EmptyState icon={Lock} title={strings.errors.role_not_allowed} hint={strings.app.roleHint} />
    </Page>
  );
}
