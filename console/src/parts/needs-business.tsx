/** What can be shown of a business alone. Where there is none yet: how it comes to be. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Business, useBusiness } from '../app/business.tsx';
import { mode } from '../app/mode.ts';
import { strings } from '../strings/strings.ts';
import { Nothing } from './nothing.tsx';

/** The sandbox is made by the first test key, a business by its settings. */
const begins = { live: '/settings', test: '/api-keys' } as const;

export function NeedsBusiness({ children }: { readonly children: (business: Business) => ReactNode }) {
  const business = useBusiness();
  if (business) return children(business);
  const { title, hint, next } = strings.business.missing[mode];
  return (
    <Nothing icon={Store} title={title} hint={hint}>
      <Button renderRoot={(props) => <Link to={begins[mode]} {...props} />}>{next}</Button>
    </Nothing>
  );
}
