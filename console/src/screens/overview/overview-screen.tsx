/** Overview: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function OverviewScreen() {
  return <Page title={strings.screens.overview}>{null}</Page>;
}
