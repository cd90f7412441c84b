/** The business today: who comes, how the week goes, whether programs get through, and what needs the owner. */
import { Anchor, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue } from 'react';
import { useApi } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { count } from '../../format/numbers.ts';
import { useTimes, useToday } from '../../format/times.ts';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { useLast } from '../../parts/use-last.ts';
import { strings } from '../../strings/strings.ts';
import { Attention } from './attention.tsx';
import { DeliveryHealth } from './delivery-health.tsx';
import { requestsPerDay } from './due.ts';
import { overviewQuestions, questionsOfDay } from './questions.ts';
import { WeekFigures } from './week-figures.tsx';

/** The first screen waits for no table. */
const Today = lazy(() => import('./today.tsx').then((module) => ({ default: module.Today })));

const texts = strings.overview;
const shownRows = 5;

export function OverviewScreen() {
  const { zone } = useTimes();
  const business = useBusiness();
  const today = useToday();
  const ofDay = questionsOfDay(today, zone);
  const bookings = useApi(...ofDay.bookings);
  const pending = useApi(...ofDay.pending);
  const asked = [
    bookings,
    pending,
    useApi(...ofDay.week),
    useApi(...overviewQuestions.keys),
    useApi(...overviewQuestions.webhooks),
    useApi(...overviewQuestions.unanswered),
  ];
  // All of it is asked at once, and shown at once: nothing moves below the eyes. What fails says so in its place.
  const isAwaited = asked.some(({ isPending, failureCount }) => isPending && failureCount === 0);
  // In slices, between which the browser answers.
  const isShown = useDeferredValue(useLast(isAwaited ? undefined : true));
  return (
    <Page title={business?.name ?? strings.screens.overview} about={texts.about(zone)}>
      {isShown ? (
        <>
          <Attention pending={pending.data?.data.length ?? 0} />
          <WeekFigures today={today} />
          <Section title={texts.today} link={<MoreLink to="/calendar" label={texts.calendar} />}>
            <QueryState
              query={bookings}
              isEmpty={({ data }) => data.length === 0}
              empty={<Text c="dimmed">{texts.todayNone}</Text>}
            >
              {({ data }) => (
                <Suspense fallback={<Loading />}>
                  <Today bookings={data} />
                </Suspense>
              )}
            </QueryState>
          </Section>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Requests />
            <Section title={texts.deliveries} link={<MoreLink to="/webhooks" label={texts.seeAll} />}>
              <DeliveryHealth />
            </Section>
          </SimpleGrid>
        </>
      ) : (
        <Loading lines={12} />
      )}
    </Page>
  );
}

interface SectionProps {
  readonly title: string;
  readonly link: React.ReactNode;
  readonly children: React.ReactNode;
}

function Section({ title, link, children }: SectionProps) {
  return (
    <Paper component="section" aria-label={title}>
      <Stack>
        <Group justify="space-between">
          <Title order={2}>{title}</Title>
          {link}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

function MoreLink({ to, label }: { readonly to: '/calendar' | '/api-keys' | '/webhooks'; readonly label: string }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={to} {...props} />}>
      {label}
    </Anchor>
  );
}

function Requests() {
  const keys = useApi(...overviewQuestions.keys);
  return (
    <Section title={texts.requests} link={<MoreLink to="/api-keys" label={texts.seeAll} />}>
      <QueryState query={keys}>
        {({ data }) => {
          const active = data.filter(({ status }) => status === 'active');
          if (active.length === 0) return <Text c="dimmed">{texts.requestsNone}</Text>;
          return (
            <Stack gap="sm">
              {active
                .toSorted((a, b) => b.requestsToday - a.requestsToday)
                .slice(0, shownRows)
                .map(({ id, name, requestsToday }) => (
                  <Stack key={id} gap={4}>
                    <Group justify="space-between" gap="sm">
                      <Text size="sm" fw={600}>
                        {name}
                      </Text>
                      <Text size="sm" className="figures">
                        {texts.ofLimit(count(requestsToday))}
                      </Text>
                    </Group>
                    <Progress value={(requestsToday / requestsPerDay) * 100} aria-label={name} />
                  </Stack>
                ))}
              <Text size="xs" c="dimmed">
                {texts.requestsHint}
              </Text>
            </Stack>
          );
        }}
      </QueryState>
    </Section>
  );
}
