/** Events: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function EventsScreen() {
  return <Page title={strings.screens.events}>{null}</Page>;
}
