/** Reviews: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function ReviewsScreen() {
  return <Page title={strings.screens.reviews}>{null}</Page>;
}
