/** Api keys: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function ApiKeysScreen() {
  return <Page title={strings.screens.apiKeys}>{null}</Page>;
}
