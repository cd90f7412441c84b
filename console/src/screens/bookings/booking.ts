/** A booking, and the names that the screens show of it. */
import type { Answer } from '../../api/call.ts';
import { strings } from '../../strings/strings.ts';

export type Booking = Answer<'getBooking'>;

/** The name of the client, unless erased. */
export const clientOf = ({ client }: Booking) => client.name || strings.clients.erased;

/** Whether it can still be moved, completed or cancelled. */
export const isOpen = ({ status }: Pick<Booking, 'status'>) => status === 'pending' || status === 'confirmed';
