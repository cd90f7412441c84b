/** The totals of the payments that match the filters. */
import { Group, Paper, Text } from '@mantine/core';
import type { Input } from '../../api/call.ts';
import { useApi } from '../../api/hooks.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { money } from '../../format/money.ts';
import { count } from '../../format/numbers.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.payments.totals;

/** Renders nothing without payments, or if the list below shows an error. */
export function PaymentTotals({ filters }: { readonly filters: Input<'getPaymentTotals'> }) {
  const { data, error } = useApi('getPaymentTotals', filters);
  if (error?.code === 'range_too_large') {
    return <DimmedText>{texts.tooMany}</DimmedText>;
  }
  if (error || !data || data.count === 0) return null;
  const { received, refunded } = data;
  const figures = [
    [texts.received, money(received)],
    [texts.refunded, money(refunded)],
    [texts.net, money({ ...received, amount: received.amount - refunded.amount })],
    [strings.screens.payments, count(data.count)],
  ] as const;
  return (
    <Group component="dl" m={0} className="figures">
      {figures.map(([label, value]) => (
        // A line has fewer figures if an amount is wide, so that no amount is broken.
        <Paper key={label} py="sm" px="clamp(0.75rem, 4vw, 1.25rem)" flex="1 1 20%" miw="max-content">
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fz="clamp(1rem, 5vw, 1.25rem)" fw={650}>
            {value}
          </Text>
        </Paper>
      ))}
    </Group>
  );
}
