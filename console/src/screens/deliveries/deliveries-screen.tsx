/** Deliveries: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function DeliveriesScreen() {
  return <Page title={strings.screens.deliveries}>{null}</Page>;
}
