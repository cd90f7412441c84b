/** The status of a booking, the same on every screen. */
import type { Answer } from '../api/call.ts';
import { strings } from '../strings/strings.ts';
import { StatusBadge, toneColors } from './status-badge.tsx';

type Status = Answer<'getBooking'>['status'];

const tones = { pending: 'waiting', confirmed: 'good', completed: 'none', no_show: 'bad', cancelled: 'bad' } as const;

export const colorOfStatus = (status: Status) => toneColors[tones[status]];

export function BookingStatus({ status }: { readonly status: Status }) {
  return <StatusBadge tone={tones[status]} label={strings.business.statuses[status]} />;
}
