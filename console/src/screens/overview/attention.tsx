/** What needs the owner now: a sentence each, and the next step as a button. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useApi } from '../../api/hooks.ts';
import { count } from '../../format/numbers.ts';
import { ago } from '../../format/times.ts';
import { Loading } from '../../parts/loading.tsx';
import { strings } from '../../strings/strings.ts';
import { type Due, keysDue, webhooksDue } from './due.ts';

const texts = strings.overview;
const looked = 100;

export function Attention({ pending }: { readonly pending: number }) {
  const keys = useApi('listApiKeys', { limit: looked });
  const webhooks = useApi('listWebhooks', { limit: looked });
  const reviews = useApi('listReviews', { replied: 'false', limit: looked });
  // What fails is told where it is shown; here it is just not counted.
  if ([keys, webhooks, reviews].some(({ isPending }) => isPending)) return <Loading lines={2} />;

  const waiting = reviews.data?.data.length ?? 0;
  const all: readonly Due[] = [
    ...webhooksDue(webhooks.data, Date.now(), ago),
    ...(pending > 0
      ? [{ tone: 'red', text: texts.pending(pending), act: texts.pendingAct, to: { to: '/calendar' } } as const]
      : []),
    ...keysDue(keys.data, Date.now(), ago),
    ...(waiting > 0
      ? [
          {
            tone: 'teal',
            text: texts.reviews(waiting === looked ? `${count(waiting)}+` : count(waiting)),
            act: texts.reviewsAct,
            to: { to: '/reviews' },
          } as const,
        ]
      : []),
  ];
  if (all.length === 0)
    return (
      <Alert color="green" icon={<CircleCheck />}>
        {texts.allWell}
      </Alert>
    );
  return (
    <Stack gap="xs" component="section" aria-label={texts.attention}>
      {all.map(({ tone, text, act, to }) => (
        <Alert key={text} color={tone} icon={<TriangleAlert />}>
          <Group justify="space-between" gap="sm">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {text}
            </Text>
            <Button size="xs" variant="default" renderRoot={(props) => <Link {...(to as LinkProps)} {...props} />}>
              {act}
            </Button>
          </Group>
        </Alert>
      ))}
    </Stack>
  );
}
