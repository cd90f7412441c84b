/** A filter that is typed. It applies when the field loses the focus, or with Enter. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { half } from './period-fields.tsx';

interface FilterFieldProps extends Pick<TextInputProps, 'label' | 'placeholder' | 'inputMode' | 'w'> {
  readonly value: string | undefined;
  onChange(value: string | undefined): void;
}

export function FilterField({ value = '', onChange, ...props }: FilterFieldProps) {
  return (
    <TextInput
      key={value}
      defaultValue={value}
      w={{ base: half, sm: 190 }}
      onBlur={({ currentTarget }) => {
        const text = currentTarget.value.trim();
        if (text !== value) onChange(text || undefined);
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.blur();
      }}
      {...props}
    />
  );
}

interface NumberFilterProps extends Pick<TextInputProps, 'label' | 'placeholder' | 'w'> {
  readonly value: number | undefined;
  onChange(value: number | undefined): void;
}

/** A filter by a number, typed or pasted as it is shown: `#123`. Other text does not filter. */
export function NumberFilter({ value, onChange, ...props }: NumberFilterProps) {
  return (
    <FilterField
      inputMode="numeric"
      value={value?.toString()}
      onChange={(text = '') => onChange(Number(/^#?(\d+)$/.exec(text)?.[1]) || undefined)}
      {...props}
    />
  );
}
