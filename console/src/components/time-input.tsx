/** A time of day on a 24-hour clock, whatever the language of the browser. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { readTime } from '../format/time-of-day.ts';

interface TimeInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** `14:30`, or what has been typed so far. */
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

export function TimeInput({ value = '', onChange, onBlur, ...props }: TimeInputProps) {
  const complete = () => {
    const time = readTime(value);
    if (time !== undefined && time !== value) onChange?.(time);
  };
  return (
    <TextInput
      value={value}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      onBlur={(event) => {
        complete();
        onBlur?.(event);
      }}
      // Enter submits the form while the field has the focus.
      onKeyDown={({ key }) => key === 'Enter' && complete()}
      inputMode="numeric"
      autoComplete="off"
      placeholder="00:00"
      maxLength={5}
      {...props}
    />
  );
}
