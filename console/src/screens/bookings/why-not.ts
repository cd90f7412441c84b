/** The reasons why a start is not free, from the function that lists the free ones. */
import type { Answer } from '../../api/call.ts';
import { useApi } from '../../api/hooks.ts';
import type { Named } from '../../components/choices.ts';
import { strings } from '../../strings/strings.ts';
import { listedOf, type Parts } from './free-starts.ts';

const texts = strings.calendar;

interface WhyNotQuery {
  readonly parts: Parts;
  readonly places: number;
  /** Without a start nothing is requested. */
  readonly startTime: string | undefined;
  /** The booking to move: its own time counts as free. */
  readonly movingBookingId?: number;
}

export interface WhyNot {
  readonly reasons: readonly string[];
  /** Whether only rules of the business are violated, so that the business may book anyway. */
  readonly isOfRules: boolean;
}

type Explained = Answer<'explainSlot'>['staff'][number];

const rules: readonly Explained['reasons'][number][] = [
  'outside_hours',
  'day_off',
  'break',
  'too_soon',
  'too_far',
  'off_grid',
];

/** Undefined until known, and if the start is free. */
export function useWhyNot(query: WhyNotQuery, staff: readonly Named[], services: readonly Named[]): WhyNot | undefined {
  const { parts, places, startTime, movingBookingId } = query;
  const { data } = useApi(
    'explainSlot',
    {
      ...listedOf(parts),
      ...(places > 1 && { places }),
      startTime: startTime ?? '',
      ...(movingBookingId !== undefined && { movingBookingId }),
    },
    { enabled: startTime !== undefined && parts.length > 0 },
  );
  return data && whyNot(data, parts, staff, services);
}

export function whyNot(
  { free, staff: explained }: Answer<'explainSlot'>,
  parts: Parts,
  staff: readonly Named[],
  services: readonly Named[],
): WhyNot | undefined {
  const nameOf = (all: readonly Named[], id: number) => all.find((one) => one.id === id)?.name ?? texts.member;
  /** The staff members who can perform each part: the chosen one, or all who perform the service. */
  const able = parts.map(({ serviceId, staffId }) =>
    explained.filter((one) => one.serviceId === serviceId && (staffId ?? one.staffId) === one.staffId),
  );
  const isChosen = parts.some(({ staffId }) => staffId !== undefined);
  if (free && (!isChosen || able.every((some) => some.some((one) => one.free)))) return undefined;
  const isPossible = (one: Explained) => one.reasons.every((reason) => rules.includes(reason));
  const isOfRules = able.every((some) => some.some(isPossible));
  const against = able.flatMap((some) =>
    some.some((one) => one.free) ? [] : some.filter((one) => !isOfRules || isPossible(one)),
  );
  const sentences = against.flatMap(({ serviceId, staffId, reasons }) =>
    reasons.map((reason) => {
      const sentence = texts.reasons[reason](nameOf(staff, staffId));
      return parts.length > 1 ? `${nameOf(services, serviceId)}: ${sentence}` : sentence;
    }),
  );
  return { reasons: [...new Set(sentences)], isOfRules };
}
