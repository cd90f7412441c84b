/** The controls that select the days and the staff of the calendar. */
import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Select } from '@mantine/core';
import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';
import type { SearchOf } from '../../app/search.ts';
import { choicesOf, isSearched, type Named } from '../../components/choices.ts';
import { DateField } from '../../components/date-field.tsx';
import { addDays } from '../../format/days.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.calendar;

interface ToolbarProps {
  readonly view: 'day' | 'week';
  readonly day: string;
  readonly staffId: number | undefined;
  readonly staff: readonly Named[];
  readonly withCancelled: boolean;
  go(change: SearchOf<'/calendar'>): void;
  setWithCancelled(shown: boolean): void;
}

export function Toolbar({ view, day, staffId, staff, withCancelled, go, setWithCancelled }: ToolbarProps) {
  const step = view === 'week' ? 7 : 1;
  const arrow = (label: string, days: number, Arrow: LucideIcon) => (
    <ActionIcon variant="default" size="input-sm" aria-label={label} onClick={() => go({ day: addDays(day, days) })}>
      <Arrow size={18} />
    </ActionIcon>
  );
  return (
    <Group gap="sm" align="flex-end">
      <Group gap={4}>
        {arrow(texts.previous, -step, ChevronLeft)}
        <Button variant="default" onClick={() => go({ day: undefined })}>
          {texts.today}
        </Button>
        {arrow(texts.next, step, ChevronRight)}
      </Group>
      <DateField w={170} aria-label={texts.date} value={day} onChange={(value) => value && go({ day: value })} />
      <SegmentedControl
        aria-label={texts.viewLabel}
        value={view}
        onChange={(value) => go({ view: value === 'week' ? 'week' : undefined })}
        data={Object.entries(texts.views).map(([value, label]) => ({ value, label }))}
      />
      <Select
        aria-label={strings.screens.staff}
        w={180}
        searchable={isSearched(staff)}
        data={[{ value: 'all', label: texts.everyone }, ...choicesOf(staff)]}
        value={String(staffId ?? 'all')}
        onChange={(value) => go({ staff: value === 'all' ? value : Number(value) })}
        allowDeselect={false}
      />
      <Checkbox
        label={texts.withCancelled}
        checked={withCancelled}
        onChange={({ currentTarget }) => setWithCancelled(currentTarget.checked)}
        mb={8}
      />
    </Group>
  );
}
