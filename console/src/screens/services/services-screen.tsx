/** Services: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function ServicesScreen() {
  return <Page title={strings.screens.services}>{null}</Page>;
}
