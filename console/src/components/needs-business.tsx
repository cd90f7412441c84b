/** Shows content that needs a business. Without one, it explains how to create it. */
import { Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Business, useBusiness } from '../app/business.tsx';
import { mode } from '../app/mode.ts';
import { strings } from '../strings/strings.ts';
import { EmptyState } from './empty-state.tsx';
import { ButtonLink } from './link.tsx';

/** The first test key creates the sandbox; the settings create the business. */
const begins = { live: '/settings', test: '/api-keys' } as const;

export function NeedsBusiness({ children }: { readonly children: (business: Business) => ReactNode }) {
  const business = useBusiness();
  if (business) return children(business);
  const { title, hint, next } = strings.business.missing[mode];
  return (
    <EmptyState icon={Store} title={title} hint={hint}>
      <ButtonLink to={begins[mode]}>{next}</ButtonLink>
    </EmptyState>
  );
}
