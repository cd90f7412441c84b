/** Payments: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function PaymentsScreen() {
  return <Page title={strings.screens.payments}>{null}</Page>;
}
