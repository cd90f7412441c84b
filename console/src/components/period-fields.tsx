/** Two filters for the first and the last day of a list. */
import { strings } from '../strings/strings.ts';
import { DateField } from './date-field.tsx';

/** The width of a filter if two share a row on a phone. */
export const half = 'calc(50% - var(--mantine-spacing-md) / 2)';

interface PeriodFieldsProps {
  /** The day as `2026-11-24`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly onChange: (change: { from?: string | undefined } | { to?: string | undefined }) => void;
}

export function PeriodFields({ from, to, onChange }: PeriodFieldsProps) {
  // On the smallest phones each filter has its own row, because half is too little for a date.
  const shared = { clearable: true, miw: 140, flex: { base: '1 1 40%', sm: '0 0 170px' } };
  return (
    <>
      <DateField
        {...shared}
        label={strings.app.from}
        value={from}
        {...(to && { maxDate: to })}
        onChange={(day) => onChange({ from: day || undefined })}
      />
      <DateField
        {...shared}
        label={strings.app.to}
        value={to}
        {...(from && { minDate: from })}
        onChange={(day) => onChange({ to: day || undefined })}
      />
    </>
  );
}
