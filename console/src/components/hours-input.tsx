/** Inputs for working hours: the intervals of a day, and the days of a week. */
import { ActionIcon, Box, Button, Group, Input, Menu, Stack, Switch, Text } from '@mantine/core';
import { Copy, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { type DayHours, usualDay, type Week, type Weekday, weekdays, workdays } from '../format/working-hours.ts';
import { strings } from '../strings/strings.ts';
import { TimeInput } from './time-input.tsx';

const texts = strings.hours;

type Errors = Readonly<Record<string, ReactNode>>;

const hourOf = (time: string) => Number(time.slice(0, 2));
const clock = (hour: number) => `${String(Math.min(hour, 24)).padStart(2, '0')}:00`;

/** Returns an interval that starts an hour after the last one and has three hours, or fewer at the end of the day. */
function next(hours: DayHours): DayHours[number] {
  const begin = Math.min(hourOf(hours.at(-1)?.to ?? '08:00') + 1, 23);
  return { from: clock(begin), to: clock(begin + 3) };
}

interface DayHoursInputProps {
  /** The name of the field in the API: `weekly.monday`. */
  readonly path: string;
  readonly day: string;
  readonly value: DayHours;
  readonly errors: Errors;
  onChange(hours: DayHours): void;
}

function DayHoursInput({ path, day, value, errors, onChange }: DayHoursInputProps) {
  const set = (at: number, change: Partial<DayHours[number]>) =>
    onChange(value.map((interval, index) => (index === at ? { ...interval, ...change } : interval)));
  return (
    <Stack gap={8} data-path={path} tabIndex={-1}>
      {value.map((interval, at) => {
        const part = value.length > 1 ? texts.part(at + 1) : '';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: Intervals have no id.
          <Group key={at} gap={8} align="flex-start">
            <TimeInput
              flex={1}
              miw="4.2rem"
              aria-label={texts.from(day, part)}
              value={interval.from}
              data-path={`${path}.${at}.from`}
              error={errors[`${path}.${at}.from`]}
              onChange={(from) => set(at, { from })}
            />
            <Text c="dimmed" mt={6} aria-hidden>
              –
            </Text>
            <TimeInput
              flex={1}
              miw="4.2rem"
              aria-label={texts.to(day, part)}
              // The API writes midnight at the end of a day as 24:00; the field shows 00:00.
              value={interval.to === '24:00' ? '00:00' : interval.to}
              data-path={`${path}.${at}.to`}
              error={errors[`${path}.${at}.to`]}
              onChange={(to) => set(at, { to: to === '00:00' ? '24:00' : to })}
            />
            <ActionIcon
              size={36}
              aria-label={texts.removePart(day, part)}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            >
              <Trash2 size={16} />
            </ActionIcon>
          </Group>
        );
      })}
      {errors[path] && <Input.Error>{errors[path]}</Input.Error>}
    </Stack>
  );
}

export function OneDayInput(props: DayHoursInputProps) {
  const { value, onChange } = props;
  return (
    <Stack gap="xs" align="flex-start">
      <DayHoursInput {...props} />
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Plus size={16} />}
        onClick={() => onChange(value.length === 0 ? usualDay : [...value, next(value)])}
      >
        {texts.add}
      </Button>
    </Stack>
  );
}

/** Returns the week to save: its edited days, and the latest hours of the others, which may have changed elsewhere. */
export const weekToSave = (week: Week, latest: Week, isDirty: (day: Weekday) => boolean) =>
  Object.fromEntries(weekdays.map((day) => [day, (isDirty(day) ? week : latest)[day]])) as Week;

interface WeekInputProps {
  readonly path: string;
  readonly value: Week;
  readonly errors: Errors;
  /** The label of a day without hours. */
  readonly closed: string;
  onChange(week: Week): void;
}

export function WeekInput({ path, value, errors, closed, onChange }: WeekInputProps) {
  const copy = (from: Weekday, to: readonly Weekday[]) =>
    onChange({ ...value, ...Object.fromEntries(to.map((weekday) => [weekday, value[from]])) });
  return (
    <Stack gap={0} className="lined">
      {weekdays.map((weekday) => {
        const day = texts.days[weekday];
        const hours = value[weekday];
        const set = (changed: DayHours) => onChange({ ...value, [weekday]: changed });
        return (
          <Box key={weekday} py="sm" className="day-hours" role="group" aria-label={day}>
            <Switch
              mt={8}
              label={day}
              checked={hours.length > 0}
              onChange={({ currentTarget }) => set(currentTarget.checked ? usualDay : [])}
            />
            {hours.length === 0 ? (
              <Text c="dimmed" mt={7} size="sm" ta={{ base: 'right', sm: 'left' }}>
                {closed}
              </Text>
            ) : (
              <>
                <Box className="intervals">
                  <DayHoursInput path={`${path}.${weekday}`} day={day} value={hours} errors={errors} onChange={set} />
                </Box>
                <Group gap={4} wrap="nowrap">
                  <ActionIcon size={36} aria-label={texts.addPart(day)} onClick={() => set([...hours, next(hours)])}>
                    <Plus size={18} />
                  </ActionIcon>
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <ActionIcon size={36} aria-label={texts.copy(day)}>
                        <Copy size={16} />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item onClick={() => copy(weekday, workdays)}>{texts.copyWeekdays}</Menu.Item>
                      <Menu.Item onClick={() => copy(weekday, weekdays)}>{texts.copyAll}</Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                </Group>
              </>
            )}
          </Box>
        );
      })}
    </Stack>
  );
}
