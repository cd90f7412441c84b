/** The tasks of the owner, each a sentence and a link. */
import { Group, Paper, Text, ThemeIcon } from '@mantine/core';
import { Check, Lightbulb, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApi, useApiList, useWholeList } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { useMay } from '../../app/role.ts';
import { ButtonLink } from '../../components/link.tsx';
import { Loading } from '../../components/loading.tsx';
import { QueryState, type QueryStateProps } from '../../components/query-state.tsx';
import { useNow } from '../../format/clock.ts';
import { count } from '../../format/numbers.ts';
import { useAgo } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Due, emailDue, keysDue, webhooksDue } from './due.ts';
import { overviewQueries } from './queries.ts';

const texts = strings.overview;

type List<Entry> = QueryStateProps<{ readonly entries: readonly Entry[] }>['query'] & {
  readonly hasNextPage: boolean;
  readonly isError: boolean;
};

/** How many entries are shown as a task: `3+` if the list goes on. Undefined while only pages without one are loaded. */
function counted<Entry>({ data, hasNextPage, isError }: List<Entry>, isTask: (entry: Entry) => boolean = () => true) {
  const found = data?.entries.filter(isTask).length ?? 0;
  if (found === 0) return hasNextPage && !isError ? undefined : '';
  return hasNextPage ? `${count(found)}+` : count(found);
}

/** The review of an erased client takes no reply. */
const takesReply = ({ authorName }: { readonly authorName: string }) => authorName !== '';

export function Attention({ pending }: { readonly pending: List<unknown> }) {
  const now = useNow();
  const ago = useAgo();
  const may = useMay();
  const business = useBusiness();
  const keys = useWholeList('listApiKeys', { enabled: may('owner') });
  const webhooks = useApi(...overviewQueries.webhooks, { enabled: may('owner') });
  const reviews = useApiList(...overviewQueries.unanswered, {
    enabled: may('desk'),
    loadsWhile: ({ entries }) => !entries.some(takesReply),
  });
  const unconfirmed = counted(pending);
  const waiting = counted(reviews, takesReply);
  if (unconfirmed === undefined || waiting === undefined || [keys, webhooks, reviews].some((one) => one.isLoading)) {
    return (
      <Paper py="md">
        <Loading lines={4} />
      </Paper>
    );
  }

  const all: readonly (Due | false)[] = [
    // A webhook belongs to a key, and a key is one of the first steps.
    ...(keys.data?.total === 0 ? [] : webhooksDue(webhooks.data, now, ago)),
    unconfirmed !== '' && {
      tone: 'yellow',
      text: texts.pending(unconfirmed),
      act: texts.pendingAct,
      to: { to: '/bookings', search: { show: 'pending' } },
    },
    ...keysDue(keys.data, now, ago),
    ...(may('owner')
      ? emailDue(business?.noticeEmail ?? null, business?.noticeEmailOff ?? null, { to: '/settings' })
      : []),
    waiting !== '' && {
      tone: 'teal',
      text: texts.reviews(waiting),
      act: strings.reviews.reply,
      to: { to: '/reviews', search: { open: true } },
    },
  ];
  const failed = [pending, reviews, keys, webhooks].some(({ isError }) => isError);
  const shown = all
    .filter((due) => due !== false)
    .toSorted((a, b) => urgency.indexOf(a.tone) - urgency.indexOf(b.tone));
  return (
    <Paper component="section" aria-label={texts.attention} py="xs">
      {/* Keys and webhooks show their errors in their own sections. */}
      {pending.isError && <QueryState query={pending}>{() => null}</QueryState>}
      {reviews.isError && <QueryState query={reviews}>{() => null}</QueryState>}
      {shown.length === 0 && !failed && <Line tone="green" text={texts.allWell} />}
      <div className="lined">
        {shown.map(({ tone, text, act, to }) => (
          <Line key={text} tone={tone} text={text}>
            <ButtonLink size="xs" variant="default" {...to}>
              {act}
            </ButtonLink>
          </Line>
        ))}
      </div>
    </Paper>
  );
}

const urgency: readonly Due['tone'][] = ['red', 'yellow', 'teal'];
const icons = { red: TriangleAlert, yellow: TriangleAlert, teal: Lightbulb, green: Check } as const;

interface LineProps {
  readonly tone: keyof typeof icons;
  readonly text: string;
  /** The action for the task. */
  readonly children?: ReactNode;
}

function Line({ tone, text, children }: LineProps) {
  const Icon = icons[tone];
  return (
    <Group py="xs" gap="md" wrap="nowrap">
      <ThemeIcon variant="light" color={tone} size={34} radius="xl" aria-hidden>
        <Icon size={18} />
      </ThemeIcon>
      <Group flex={1} justify="space-between" gap="xs">
        <Text size="sm" flex="1 1 14rem" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {children}
      </Group>
    </Group>
  );
}
