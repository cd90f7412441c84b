/** Whether a webhook sends and arrives, and how near it is to being switched off. */
import type { Answer } from '../../api/call.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { strings } from '../../strings/strings.ts';

const texts = strings.webhooks;

type Shown = Pick<Answer<'getWebhook'>, 'status' | 'consecutiveFailures' | 'failingSince'>;

export function WebhookStatus({ status, consecutiveFailures, failingSince }: Shown) {
  if (status === 'failed') return <StatusBadge tone="bad" label={texts.statuses.failed} />;
  if (consecutiveFailures > 0) return <StatusBadge tone="waiting" label={texts.troubled(consecutiveFailures)} />;
  if (failingSince !== null) return <StatusBadge tone="waiting" label={texts.failing} />;
  return <StatusBadge tone="good" label={texts.statuses.active} />;
}
