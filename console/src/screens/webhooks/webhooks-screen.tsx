/** Webhooks: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function WebhooksScreen() {
  return <Page title={strings.screens.webhooks}>{null}</Page>;
}
