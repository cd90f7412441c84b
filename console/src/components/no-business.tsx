/** Explains how to create the business, in place of content that needs one. */
import { Store } from 'lucide-react';
import { mode } from '../app/mode.ts';
import { strings } from '../strings/strings.ts';
import { EmptyState } from './empty-state.tsx';
import { ButtonLink } from './link.tsx';

/** The first test key creates the sandbox; the settings create the business. */
const begins = { live: '/settings', test: '/api-keys' } as const;

export function NoBusiness() {
  const { title, hint, next } = strings.business.missing[mode];
  return (
    <EmptyState icon={Store} title={title} hint={hint}>
      <ButtonLink to={begins[mode]}>{next}</ButtonLink>
    </EmptyState>
  );
}
