/** Staff: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function StaffScreen() {
  return <Page title={strings.screens.staff}>{null}</Page>;
}
