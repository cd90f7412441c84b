/** An input for money: `45`, `45.50` or `45,50`. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { currencySymbol, notMoney, readMoney, typedMoney } from '../format/money.ts';

interface MoneyInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  readonly currency: string;
  /** The amount in minor units. Undefined while empty, `NaN` while the text is not an amount. */
  readonly value?: number | undefined;
  readonly onChange?: (amount: number | undefined) => void;
}

export function MoneyInput({ currency, value, onChange, onBlur, error, ...props }: MoneyInputProps) {
  const [text, setText] = useState(() => (value === undefined ? '' : typedMoney({ amount: value, currency })));
  const isWrong = value !== undefined && Number.isNaN(value);
  return (
    <TextInput
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange?.(readMoney(currentTarget.value, currency));
      }}
      onBlur={(event) => {
        if (value !== undefined && !isWrong) setText(typedMoney({ amount: value, currency }));
        onBlur?.(event);
      }}
      inputMode="decimal"
      autoComplete="off"
      leftSection={currencySymbol(currency)}
      leftSectionWidth={currencySymbol(currency).length > 1 ? 52 : undefined}
      error={isWrong ? notMoney(currency) : error}
      {...props}
    />
  );
}
