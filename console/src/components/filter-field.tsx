/** A filter that is typed. It applies when the field loses the focus, or with Enter. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { half } from './period-fields.tsx';

interface FilterFieldProps extends Pick<TextInputProps, 'label' | 'placeholder' | 'inputMode' | 'w'> {
  readonly value: string | undefined;
  onChange(value: string | undefined): void;
}

export function FilterField({ value = '', onChange, ...props }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  const apply = () => {
    const text = field.current?.value.trim() ?? '';
    if (text !== value) onChange(text || undefined);
  };
  return (
    <TextInput
      ref={field}
      defaultValue={value}
      w={{ base: half, sm: 190 }}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
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
