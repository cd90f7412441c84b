/** Finds clients and bookings: a booking by its number or reference, or as an upcoming one of a found client. */
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from '../../api/errors.ts';
import { apiQueryOptions, useApi, useApiCalls } from '../../api/hooks.ts';
import { useMay } from '../../app/role.ts';
import { now } from '../../format/clock.ts';
import { timesIn } from '../../format/times.ts';
import { type Booking, clientOf, isOpen, serviceOf } from '../bookings/booking.ts';

const shownClients = 6;
/** The number of clients whose bookings are searched. */
const askedClients = 3;
const bookingsEach = 3;
const leastLetters = 2;
/** The number of own bookings that are searched for users who cannot see all clients. */
const ownBookings = 100;
const sameReference = 5;

interface Found {
  readonly clients: readonly { readonly id: number; readonly name: string; readonly contact: string | null }[];
  readonly bookings: readonly { readonly id: number; readonly label: string; readonly day: string }[];
  readonly isPending: boolean;
  /** Why some are perhaps not found. */
  readonly error: ApiError | undefined;
}

export function useFound(words: string): Found {
  const api = useApiCalls();
  const seesAll = useMay()('desk');
  // The menu with the search is outside the context of the business.
  const { data: business } = useApi('getBusiness', undefined);
  const times = timesIn(business?.timeZone ?? 'UTC');
  const hasBusiness = business !== undefined;
  const [from] = useState(() => new Date(now()).toISOString());
  const isAsked = hasBusiness && words.length >= leastLetters;
  const number = /^#?(\d{1,16})$/.exec(words)?.[1];
  const named = useApi(
    'listClients',
    { search: words, limit: shownClients },
    { enabled: isAsked && seesAll, keepPrevious: true },
  );
  const clients = isAsked ? (named.data?.data ?? []) : [];
  const numbered = useApi('getBooking', { id: Number(number) }, { enabled: hasBusiness && number !== undefined });
  const referenced = useApi('listBookings', { externalId: words, limit: sameReference }, { enabled: isAsked });
  const own = useApi('listBookings', { from, limit: ownBookings }, { enabled: isAsked && !seesAll });
  const ofClients = useQueries({
    queries: clients
      .slice(0, askedClients)
      .map(({ id }) => apiQueryOptions(api, 'listBookings', { clientId: id, from, limit: bookingsEach })),
  });
  const asked = isAsked ? [named, referenced, own, ...ofClients] : [];
  const upcoming = [
    ...ofClients.flatMap(({ data }) => data?.data ?? []),
    ...(own.data?.data ?? []).filter((booking) => clientOf(booking).toLowerCase().includes(words.toLowerCase())),
  ].filter(isOpen);
  const bookings: readonly Booking[] = [
    ...(number && numbered.data ? [numbered.data] : []),
    ...(isAsked ? [...(referenced.data?.data ?? []), ...upcoming] : []),
  ].filter(({ id }, at, all) => all.findIndex((other) => other.id === id) === at);
  return {
    clients: clients.map(({ id, name, phone, email }) => ({ id, name, contact: phone ?? email })),
    bookings: bookings.map((booking) => ({
      id: booking.id,
      label: `${clientOf(booking)} · ${serviceOf(booking)} · ${times.when(booking.startTime)}`,
      day: times.day(booking.startTime),
    })),
    // While the browser is offline, the calls wait.
    isPending: asked.some(({ fetchStatus }) => fetchStatus !== 'idle'),
    error: asked.flatMap(({ error }) => (error as ApiError | null) ?? [])[0],
  };
}
