/** The steps from a new business to its first booking, each checked by the data. Renders nothing when all are done. */
import { Anchor, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Check, Circle } from 'lucide-react';
import { useApi } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { strings } from '../../strings/strings.ts';
import { overviewQueries } from './queries.ts';

const texts = strings.overview.steps;

export function FirstSteps() {
  const business = useBusiness();
  const services = useApi('listServices', { limit: 100 });
  const staff = useApi('listStaff', { limit: 100 });
  const bookings = useApi('listBookings', { limit: 1 });
  const keys = useApi(...overviewQueries.keys);
  const { data: offered } = services;
  if (!business || !offered || !staff.data || !bookings.data || !keys.data) return null;
  const isOpen = Object.values(business.workingHours).some(({ length }) => length > 0);
  const steps: readonly (readonly [label: string, isDone: boolean, link: LinkProps])[] = [
    [texts.hours, isOpen, { to: '/settings' }],
    [texts.staff, staff.data.total > 0, { to: '/staff', search: { add: true } }],
    [texts.service, offered.data.some(({ staffIds }) => staffIds.length > 0), { to: '/services', search: newService }],
    [texts.booking, bookings.data.data.length > 0, { to: '/calendar' }],
    [texts.key, keys.data.total > 0, { to: '/api-keys' }],
  ];
  const done = steps.filter(([, isDone]) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Paper component="section" aria-label={texts.title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{texts.title}</Title>
          <Text size="sm" c="dimmed">
            {texts.progress(done, steps.length)}
          </Text>
        </Group>
        <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
          {steps.map(([label, isDone, link]) => (
            <Group key={label} component="li" gap="sm" wrap="nowrap">
              <ThemeIcon variant="light" color={isDone ? 'green' : 'gray'} size={28} radius="xl" aria-hidden>
                {isDone ? <Check size={16} /> : <Circle size={14} />}
              </ThemeIcon>
              {isDone ? (
                <Text c="dimmed" aria-label={texts.done(label)}>
                  {label}
                </Text>
              ) : (
                <Anchor renderRoot={(props) => <Link {...(link as LinkProps)} {...props} />}>{label}</Anchor>
              )}
            </Group>
          ))}
        </Stack>
      </Stack>
    </Paper>
  );
}

const newService = { service: 'new' } as const;
