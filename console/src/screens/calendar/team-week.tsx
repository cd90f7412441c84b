/** A week of all staff with every booking: a row for each staff member, in their colour, and a column for each day. */
import { ActionIcon, Group, Paper, Table, Text, UnstyledButton } from '@mantine/core';
import { Plus } from 'lucide-react';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { shortWeekday, useToday, wholeDay } from '../../format/times.ts';
import { hoursOn, type Interval, offHours } from '../../format/working-hours.ts';
import { strings } from '../../strings/strings.ts';
import { isOpen } from '../bookings/booking.ts';
import { type Card, titleOf } from './cards.ts';
import { EventBody } from './event-body.tsx';
import type { Schedules } from './schedules.ts';
import './team-week.css';

const texts = strings.calendar;
/** The colours of the staff members, repeated if there are more. */
const colors = ['teal', 'blue', 'grape', 'orange', 'cyan', 'pink', 'lime', 'indigo'] as const;
const dragType = 'application/x-booking-card';

/** A row of the calendar: a staff member. */
export interface Row {
  readonly id: number;
  readonly label: string;
}

interface TeamWeekProps {
  readonly staff: readonly Row[];
  readonly days: readonly string[];
  readonly cards: readonly Card[];
  readonly schedules: Schedules;
  /** The hours that the strip of a day covers. */
  readonly shown: Interval;
  readonly canChange: boolean;
  open(card: Card): void;
  add(staffId: number, day: string): void;
  drop(card: Card, staffId: number, day: string): void;
}

export function TeamWeek(props: TeamWeekProps) {
  const { staff, days } = props;
  const today = useToday();
  return (
    <Paper p={0} className="team-week" tabIndex={0} role="region" aria-label={texts.views.week}>
      <Table verticalSpacing={6} horizontalSpacing={6} withColumnBorders>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{strings.screens.staff}</Table.Th>
            {days.map((day) => (
              <Table.Th key={day} scope="col" data-today={day === today || undefined}>
                <AnchorLink
                  inherit
                  c="inherit"
                  aria-label={texts.dayOf(wholeDay(day))}
                  aria-current={day === today ? 'date' : undefined}
                  to="/calendar"
                  search={(old) => ({ ...old, view: undefined, day })}
                >
                  {shortWeekday(day)}
                </AnchorLink>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {staff.map(({ id, label }, at) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" fw={600}>
                <Group gap={6} wrap="nowrap" align="flex-start">
                  <span className="team-week-dot" style={{ background: `var(--mantine-color-${colorAt(at)}-6)` }} />
                  <AnchorLink
                    inherit
                    c="inherit"
                    lineClamp={4}
                    title={label}
                    style={{ overflowWrap: 'anywhere' }}
                    aria-label={texts.weekOf(label)}
                    to="/calendar"
                    search={(old) => ({ ...old, staff: id })}
                  >
                    {label}
                  </AnchorLink>
                </Group>
              </Table.Th>
              {days.map((day) => (
                <Cell key={day} {...props} id={id} label={label} day={day} color={colorAt(at)} />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

const colorAt = (at: number) => colors[at % colors.length] ?? 'teal';

interface CellProps extends TeamWeekProps {
  readonly id: number;
  readonly label: string;
  readonly day: string;
  readonly color: string;
}

function Cell({ id, label, day, color, cards, schedules, shown, canChange, open, add, drop }: CellProps) {
  const schedule = schedules.byStaff.get(id);
  const hours = schedule && hoursOn(schedule, day);
  const elsewhere = schedules.busy.get(id)?.filter((one) => one.day === day) ?? [];
  const own = cards.filter(({ segment, start }) => segment.staffId === id && start.startsWith(day));
  return (
    <Table.Td
      data-off={hours?.length === 0 || undefined}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(dragType)) event.preventDefault();
      }}
      onDrop={(event) => {
        const card = cards.find((one) => one.id === event.dataTransfer.getData(dragType));
        if (!card) return;
        event.preventDefault();
        drop(card, id, day);
      }}
    >
      <Group justify="space-between" gap={2} wrap="nowrap" mih={24}>
        <DimmedText size="xs">
          {hours && (hours.map(({ from, to }) => `${from}–${to}`).join(', ') || texts.off)}
        </DimmedText>
        {canChange && (
          <ActionIcon size={24} aria-label={texts.addOn(label, wholeDay(day))} onClick={() => add(id, day)}>
            <Plus size={14} />
          </ActionIcon>
        )}
      </Group>
      {hours && hours.length > 0 && <Strip shown={shown} off={offHours(hours, shown)} />}
      {elsewhere.map(({ source, time: { from, to } }) => (
        <Text key={`${source}-${from}`} size="xs" className="team-week-busy">
          {`${from}–${to} ${texts.busy(source)}`}
        </Text>
      ))}
      {own.map((card) => (
        <UnstyledButton
          key={card.id}
          className="team-week-card"
          title={titleOf(card)}
          style={{ background: `var(--mantine-color-${color}-light)`, borderColor: `var(--mantine-color-${color}-6)` }}
          draggable={canChange && isOpen(card.booking) && !card.class}
          onDragStart={(event) => event.dataTransfer.setData(dragType, card.id)}
          onClick={() => open(card)}
        >
          <EventBody card={card} />
        </UnstyledButton>
      ))}
    </Table.Td>
  );
}

/** The hours of a day as a strip, shaded outside the working hours. The text above lists them. */
function Strip({ shown, off }: { readonly shown: Interval; readonly off: readonly Interval[] }) {
  const at = (time: string) =>
    (100 * (minuteOf(time) - minuteOf(shown.from))) / (minuteOf(shown.to) - minuteOf(shown.from));
  return (
    <div className="team-week-strip" aria-hidden>
      {off.map(({ from, to }) => (
        <span key={from} style={{ left: `${at(from)}%`, width: `${at(to) - at(from)}%` }} />
      ))}
    </div>
  );
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
