/** The business today: tasks, figures of the week, bookings, API requests and webhooks. */
import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useDeferredValue } from 'react';
import { useApi, useApiList, useWholeList } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { useMay } from '../../app/role.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { Section } from '../../components/section.tsx';
import { usePreviousDefined } from '../../components/use-previous-defined.ts';
import { count } from '../../format/numbers.ts';
import { useTimes, useToday } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { Attention } from './attention.tsx';
import { DeliveryHealth } from './delivery-health.tsx';
import { requestsPerDay } from './due.ts';
import { FirstSteps } from './first-steps.tsx';
import { overviewQueries, queriesOfDay } from './queries.ts';
import { WeekFigures } from './week-figures.tsx';

/** This part is loaded after the first screen. */
const Today = lazy(() => import('./today.tsx').then((module) => ({ default: module.Today })));

const texts = strings.overview;
const shownRows = 5;
/** The calendar and the list of upcoming bookings leave them out, too. */
const isCancelled = ({ status }: { readonly status: string }) => status === 'cancelled';

export function OverviewScreen() {
  const { zone } = useTimes();
  const business = useBusiness();
  return (
    <Page title={business?.name ?? strings.screens.overview} description={business && texts.intro(zone)}>
      <ForRole />
    </Page>
  );
}

/** Waits for the role, because it decides which data is requested. */
function ForRole() {
  const { isPending } = useApi('getMe', undefined);
  return isPending ? <Loading lines={12} /> : <Overview />;
}

function Overview() {
  const { zone } = useTimes();
  const today = useToday();
  const may = useMay();
  const ofDay = queriesOfDay(today, zone);
  const bookings = useApi(...ofDay.bookings);
  const pending = useApiList(...ofDay.pending, { loadsWhile: ({ entries }) => entries.length === 0 });
  const ofOwner = { enabled: may('owner') };
  const ofDesk = { enabled: may('desk') };
  const week = useApi(...ofDay.week, ofDesk);
  const keys = useWholeList('listApiKeys', ofOwner);
  const queries = [
    bookings,
    pending,
    week,
    keys,
    useApi(...overviewQueries.webhooks, ofOwner),
    useApiList(...overviewQueries.unanswered, ofDesk),
  ];
  // Everything is loaded in parallel and shown together, so that nothing moves. Errors are shown in their section.
  const isLoading = queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  // Deferred, so that the browser stays responsive.
  const isShown = useDeferredValue(usePreviousDefined(isLoading ? undefined : true));
  if (!isShown) return <Loading lines={12} />;
  // An established business needs no requests for the first steps.
  const booked = Object.values(week.data?.summary.bookings ?? {}).some((number) => number > 0);
  const isNew = keys.data?.total === 0 || !booked;
  return (
    <>
      {isNew && may('owner') && <FirstSteps />}
      <Attention pending={pending} />
      {may('desk') && <WeekFigures today={today} />}
      <Section
        title={texts.today}
        actions={
          <AnchorLink size="sm" to="/calendar">
            {strings.bookings.toCalendar}
          </AnchorLink>
        }
        isPlain
      >
        <QueryState
          query={bookings}
          isEmpty={({ data }) => data.every(isCancelled)}
          empty={<Text c="dimmed">{texts.todayNone}</Text>}
        >
          {({ data }) => (
            <Suspense fallback={<Loading />}>
              <Today bookings={data.filter((booking) => !isCancelled(booking))} />
            </Suspense>
          )}
        </QueryState>
      </Section>
      {may('owner') && (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <Requests />
          <Section
            title={strings.screens.webhooks}
            actions={
              <AnchorLink size="sm" to="/webhooks">
                {texts.seeAll}
              </AnchorLink>
            }
          >
            <DeliveryHealth />
          </Section>
        </SimpleGrid>
      )}
    </>
  );
}

function Requests() {
  const keys = useWholeList('listApiKeys');
  return (
    <Section
      title={texts.requests}
      actions={
        <AnchorLink size="sm" to="/api-keys">
          {texts.seeAll}
        </AnchorLink>
      }
    >
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
              <DimmedText size="xs">{texts.requestsHint}</DimmedText>
            </Stack>
          );
        }}
      </QueryState>
    </Section>
  );
}
