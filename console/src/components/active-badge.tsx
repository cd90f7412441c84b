/** The badge of an entry that can or cannot be booked. */
import { strings } from '../strings/strings.ts';
import { StatusBadge } from './status-badge.tsx';

export function ActiveBadge({ active }: { readonly active: boolean }) {
  return (
    <StatusBadge tone={active ? 'good' : 'none'} label={active ? strings.business.active : strings.business.inactive} />
  );
}
