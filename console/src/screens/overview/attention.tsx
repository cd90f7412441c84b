/** The tasks of the owner, each a sentence and a link. */
import { Group, Paper, Text, ThemeIcon } from '@mantine/core';
import { Check, Lightbulb, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApi, useWholeList } from '../../api/hooks.ts';
import { useBusiness } from '../../app/business.tsx';
import { useMay } from '../../app/role.ts';
import { ButtonLink } from '../../components/link.tsx';
import { Loading } from '../../components/loading.tsx';
import { useNow } from '../../format/clock.ts';
import { count } from '../../format/numbers.ts';
import { useAgo } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Due, emailDue, keysDue, webhooksDue } from './due.ts';
import { listLimit, overviewQueries } from './queries.ts';

const texts = strings.overview;

export function Attention({ pending }: { readonly pending: number }) {
  const now = useNow();
  const ago = useAgo();
  const may = useMay();
  const business = useBusiness();
  const keys = useWholeList('listApiKeys', { enabled: may('owner') });
  const webhooks = useApi(...overviewQueries.webhooks, { enabled: may('owner') });
  const reviews = useApi(...overviewQueries.unanswered, { enabled: may('desk') });
  // Errors are shown beside the data, not here.
  if ([keys, webhooks, reviews].some(({ isLoading }) => isLoading)) {
    return (
      <Paper py="md">
        <Loading lines={4} />
      </Paper>
    );
  }

  // The review of an erased client takes no reply.
  const waiting = reviews.data?.data.filter(({ authorName }) => authorName).length ?? 0;
  const all: readonly (Due | false)[] = [
    // A webhook belongs to a key, and a key is one of the first steps.
    ...(keys.data?.total === 0 ? [] : webhooksDue(webhooks.data, now, ago)),
    pending > 0 && {
      tone: 'yellow',
      text: texts.pending(pending === listLimit ? `${count(pending)}+` : count(pending)),
      act: texts.pendingAct,
      to: { to: '/bookings', search: { show: 'pending' } },
    },
    ...keysDue(keys.data, now, ago),
    ...(may('owner')
      ? emailDue(business?.noticeEmail ?? null, business?.noticeEmailOff ?? null, { to: '/settings' })
      : []),
    waiting > 0 && {
      tone: 'teal',
      text: texts.reviews(waiting === listLimit ? `${count(waiting)}+` : count(waiting)),
      act: strings.reviews.reply,
      to: { to: '/reviews', search: { open: true } },
    },
  ];
  const shown = all
    .filter((due) => due !== false)
    .toSorted((a, b) => urgency.indexOf(a.tone) - urgency.indexOf(b.tone));
  return (
    <Paper component="section" aria-label={texts.attention} py="xs">
      {shown.length === 0 && <Line tone="green" text={texts.allWell} />}
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
