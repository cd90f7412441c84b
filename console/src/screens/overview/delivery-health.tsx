/** The webhooks with the most failures, with their attempts of the last day. */
import { Group, Stack, Text } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { useApi } from '../../api/hooks.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { count, percent } from '../../format/numbers.ts';
import { useAgo } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { WebhookStatus } from '../webhooks/webhook-status.tsx';
import { overviewQueries } from './queries.ts';

const texts = strings.overview;
const shownRows = 5;

type Webhook = Answer<'listWebhooks'>['data'][number];

export function DeliveryHealth() {
  const webhooks = useApi(...overviewQueries.webhooks);
  return (
    <QueryState
      query={webhooks}
      isEmpty={({ total }) => total === 0}
      empty={<Text c="dimmed">{texts.deliveriesNone}</Text>}
    >
      {({ data }) => (
        <Stack gap="sm">
          {data
            .toSorted((a, b) => badness(b) - badness(a))
            .slice(0, shownRows)
            .map((webhook) => (
              <Row key={webhook.id} webhook={webhook} />
            ))}
        </Stack>
      )}
    </QueryState>
  );
}

/** Sorts disabled webhooks first, then by consecutive failures, then other failing ones. */
function badness({ status, consecutiveFailures, failingSince }: Webhook): number {
  return (status === 'failed' ? 1_000 : 0) + consecutiveFailures + (failingSince === null ? 0 : 0.5);
}

function Row({ webhook: { id, targetUrl, ...state } }: { readonly webhook: Webhook }) {
  const ago = useAgo();
  const statistics = useApi('getWebhookStatistics', { id });
  const { attempts = 0, successes = 0 } = statistics.data?.summary ?? {};
  const arrived = attempts === 0 ? texts.nothingSent : texts.arrived(percent(successes / attempts), count(attempts));
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Stack gap={0} miw={0}>
        <AnchorLink size="sm" truncate to="/webhooks/$id" params={{ id: String(id) }}>
          {strings.webhooks.addressOf(targetUrl)}
        </AnchorLink>
        <DimmedText size="xs" mih="1lh">
          {statistics.data && arrived}
          {state.failingSince && ` ${strings.webhooks.startedFailing(ago(state.failingSince))}`}
        </DimmedText>
      </Stack>
      <WebhookStatus {...state} />
    </Group>
  );
}
