/** Settings: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function SettingsScreen() {
  return <Page title={strings.screens.settings}>{null}</Page>;
}
