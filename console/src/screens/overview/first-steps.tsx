/** The steps from a new business to its first booking, each checked by the data. Renders nothing when all are done. */
import { Group, Stack, ThemeIcon } from '@mantine/core';
import type { LinkProps } from '@tanstack/react-router';
import { Check, Circle } from 'lucide-react';
import { useApi, useWholeList } from '../../api/hooks.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { strings } from '../../strings/strings.ts';

const texts = strings.overview.steps;

type Step = readonly [label: string, isDone: boolean, link: LinkProps];

const storageKey = 'begun';

/** Undefined until known, and without a business. Once all steps are done, this browser no longer requests them. */
export function useFirstSteps(): readonly Step[] | undefined {
  const { data: business } = useApi('getBusiness', undefined);
  const isOwner = useApi('getMe', undefined).data?.role === 'owner';
  const isBegun = business !== undefined && localStorage.getItem(storageKey) === String(business.id);
  const options = { enabled: isOwner && business !== undefined && !isBegun };
  const bookings = useApi('listBookings', { limit: 1 }, options);
  const keys = useWholeList('listApiKeys', options);
  const isBooked = (bookings.data?.data.length ?? 0) > 0;
  // A booking needs staff and a service, so only a business without bookings needs these requests.
  const catalogue = { enabled: bookings.data !== undefined && !isBooked };
  const services = useWholeList('listServices', catalogue);
  const staff = useApi('listStaff', { limit: 1 }, catalogue);
  const isKnown = isBooked || (services.data !== undefined && staff.data !== undefined);
  if (!business || !options.enabled || !keys.data || !isKnown) return undefined;
  const isOpen = Object.values(business.workingHours).some(({ length }) => length > 0);
  const steps: readonly Step[] = [
    [texts.hours, isOpen, { to: '/settings' }],
    [texts.staff, isBooked || (staff.data?.total ?? 0) > 0, { to: '/staff', search: { add: true } }],
    [
      texts.service,
      isBooked || (services.data?.data ?? []).some(({ staffIds }) => staffIds.length > 0),
      { to: '/services', search: { service: 'new' } },
    ],
    [texts.booking, isBooked, { to: '/calendar', search: { add: true } }],
    [texts.key, keys.data.total > 0, { to: '/api-keys' }],
  ];
  if (steps.every(([, isDone]) => isDone)) localStorage.setItem(storageKey, String(business.id));
  return steps;
}

export function FirstSteps() {
  const steps = useFirstSteps() ?? [];
  const done = steps.filter(([, isDone]) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Section title={texts.title} actions={<DimmedText>{texts.progress(done, steps.length)}</DimmedText>}>
      <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(([label, isDone, link]) => (
          <Group key={label} component="li" gap="sm" wrap="nowrap">
            <ThemeIcon variant="light" color={isDone ? 'green' : 'gray'} size={28} radius="xl" aria-hidden>
              {isDone ? <Check size={16} /> : <Circle size={14} />}
            </ThemeIcon>
            <AnchorLink {...link} {...(isDone && { c: 'dimmed', search: {}, 'aria-label': texts.done(label) })}>
              {label}
            </AnchorLink>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
