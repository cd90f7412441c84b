/** A field for a day, in the date format of the console. */
import '@mantine/dates/styles.layer.css';
import { DateInput, type DateInputProps } from '@mantine/dates';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { readDay } from '../format/days.ts';
import { language } from '../format/language.ts';
import { timesIn, useToday } from '../format/times.ts';
import { strings } from '../strings/strings.ts';

interface DateFieldProps
  extends Omit<DateInputProps, 'value' | 'onChange' | 'valueFormat' | 'dateParser' | 'minDate' | 'maxDate'> {
  /** The day as `2026-11-24`, or empty. */
  readonly value?: string | undefined;
  readonly minDate?: string;
  readonly maxDate?: string;
  readonly onChange?: (day: string) => void;
  /** Whether a dialog focuses the field when it opens. */
  readonly 'data-autofocus'?: boolean;
}

export function DateField({ value, onChange, onBlur, minDate, maxDate, error, ...props }: DateFieldProps) {
  const today = useToday();
  const [isOpen, setOpen] = useState(false);
  const [isClicked, setClicked] = useState(false);
  const takeTyped = (text: string) => {
    const day = readDay(text, today);
    if (day && day !== value && !(minDate && day < minDate) && !(maxDate && day > maxDate)) onChange?.(day);
  };
  return (
    <DateInput
      value={value || null}
      onChange={(day) => onChange?.(day ?? '')}
      valueFormat={(day) => timesIn('UTC').calendarDate(day.slice(0, 10))}
      // The beginning of a typed date is often another date without a year, which is therefore taken only at the end.
      dateParser={(text) => readDay(text) ?? null}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && takeTyped(currentTarget.value)}
      onClick={() => setClicked(true)}
      onBlur={(event) => {
        setClicked(false);
        takeTyped(event.currentTarget.value);
        onBlur?.(event);
      }}
      {...(minDate && { minDate })}
      {...(maxDate && { maxDate })}
      classNames={{ wrapper: 'date-field' }}
      popoverProps={{
        onOpen: () => setOpen(true),
        onClose: () => setOpen(false),
        // Focus opens the calendar. It would cover the new dialog, or the error for which the field is focused.
        ...((error || props['data-autofocus']) && !isClicked && { opened: false }),
      }}
      error={error}
      // Escape closes the calendar and not the dialog.
      data-mantine-stop-propagation={isOpen || undefined}
      leftSection={<CalendarDays size={16} aria-hidden />}
      placeholder={strings.app.dayPlaceholder}
      clearButtonProps={{ 'aria-label': strings.app.clearDay }}
      ariaLabels={steps()}
      // Red and grey days would have too little contrast.
      weekendDays={[]}
      hideOutsideDates
      // The option `highlightToday` would highlight the day of the device.
      getDayProps={(day) => (day === today ? { 'data-today': true, 'data-highlight-today': true } : {})}
      firstDayOfWeek={1}
      locale={language()}
      {...props}
    />
  );
}

/** The labels of the buttons for the month, year or decade before and after. */
function steps(): DateInputProps['ariaLabels'] {
  const { previous, next } = strings.calendar;
  return {
    previousMonth: previous,
    nextMonth: next,
    previousYear: previous,
    nextYear: next,
    previousDecade: previous,
    nextDecade: next,
  };
}
