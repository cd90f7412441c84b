/** Calendar: being built. */
import { Page } from '../../parts/page.tsx';
import { strings } from '../../strings/strings.ts';

export function CalendarScreen() {
  return <Page title={strings.screens.calendar}>{null}</Page>;
}
