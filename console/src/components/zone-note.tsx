/** A note with the time zone of the times above. */
import { useTimeZone } from '../app/business.tsx';
import { strings } from '../strings/strings.ts';
import { DimmedText } from './dimmed-text.tsx';

export function ZoneNote() {
  return <DimmedText size="xs">{strings.app.inZone(useTimeZone())}</DimmedText>;
}
