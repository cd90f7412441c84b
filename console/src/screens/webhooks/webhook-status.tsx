/** The status of a webhook, with its consecutive failures. */
import type { Answer } from '../../api/call.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { strings } from '../../strings/strings.ts';

const texts = strings.webhooks;

type Shown = Pick<Answer<'getWebhook'>, 'status' | 'consecutiveFailures' | 'failingSince' | 'heldUntil'>;

export function WebhookStatus({ status, consecutiveFailures, failingSince, heldUntil }: Shown) {
  if (status === 'failed') return <StatusBadge tone="bad" label={texts.statuses.failed} />;
  if (consecutiveFailures > 0) return <StatusBadge tone="waiting" label={texts.troubled(consecutiveFailures)} />;
  if (failingSince !== null) return <StatusBadge tone="waiting" label={texts.failing} />;
  if (heldUntil !== null) return <StatusBadge tone="waiting" label={texts.throttled} />;
  return <StatusBadge tone="good" label={texts.statuses.active} />;
}
