import type { Answer } from '../../api/call.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { strings } from '../../strings/strings.ts';

const tones = { active: 'good', revoked: 'bad', expired: 'none' } as const;

export function KeyStatus({ status }: Pick<Answer<'getApiKey'>, 'status'>) {
  return <StatusBadge tone={tones[status]} label={strings.apiKeys.statuses[status]} />;
}
