/** Clients: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function ClientsScreen() {
  return <Page title={strings.screens.clients}>{null}</Page>;
}
