/** Why a start is not free, by the function that lists the free ones. */
import { Button, List, Text } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { useApi } from '../../api/hooks.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.calendar;

export interface Asked {
  readonly serviceId: number;
  readonly startTime: string;
  /** Undefined: any staff member. */
  readonly staffId?: number | undefined;
  /** A booking to move: its own time counts as free. */
  readonly movingBookingId?: number | undefined;
}

type Reason = Answer<'explainSlot'>['staff'][number]['reasons'][number];

/** The business may book all the same: nothing is in the way but its own rules. */
const rules: readonly Reason[] = ['outside_hours', 'day_off', 'break', 'too_soon', 'too_far', 'off_grid'];

export interface WhyNotProps {
  readonly asked: Asked;
  readonly staff: readonly { readonly id: number; readonly name: string }[];
  /** Books or moves outside the rules. */
  readonly anyway?: { readonly label: string; readonly isPending: boolean; run(): void };
}

export function WhyNot({ asked, staff, anyway }: WhyNotProps) {
  const { serviceId, startTime, staffId, movingBookingId } = asked;
  const explained = useApi('explainSlot', {
    serviceId,
    startTime,
    ...(staffId !== undefined && { staffId }),
    ...(movingBookingId !== undefined && { movingBookingId }),
  });
  if (!explained.data) return null;
  const nameOf = (id: number) => staff.find((member) => member.id === id)?.name ?? texts.staff;
  const sentences = explained.data.staff.flatMap(({ staffId: id, reasons }) =>
    reasons.map((reason) => texts.reasons[reason](nameOf(id))),
  );
  const all = explained.data.staff.flatMap(({ reasons }) => reasons);
  const isOfRules = all.length > 0 && all.every((reason) => rules.includes(reason));
  return (
    <>
      {sentences.length === 1 && <Text size="sm">{sentences[0]}</Text>}
      {sentences.length > 1 && (
        <List size="sm">
          {[...new Set(sentences)].map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
      {isOfRules && anyway && (
        <Button size="xs" variant="default" loading={anyway.isPending} onClick={anyway.run} mt="xs">
          {anyway.label}
        </Button>
      )}
    </>
  );
}
