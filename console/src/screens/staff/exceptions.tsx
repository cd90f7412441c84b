/** Days off and special hours of a staff member. */
import { Button, Group, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { LinedList } from '../../components/lined-list.tsx';
import { Section } from '../../components/section.tsx';
import { daysOf } from '../../format/days.ts';
import { useToday, wholeDay } from '../../format/times.ts';
import type { Schedule } from '../../format/working-hours.ts';
import { strings } from '../../strings/strings.ts';
import { dayRuns } from './day-runs.ts';
import { ExceptionForm } from './exception-form.tsx';

const texts = strings.staff;

interface ExceptionsProps {
  readonly staffId: number;
  readonly schedule: Schedule;
}

export function Exceptions({ staffId, schedule }: ExceptionsProps) {
  const { exceptions } = schedule;
  const today = useToday();
  const [isAdding, setAdding] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const update = useApiMutation('updateStaffSchedule');
  const removePast = useApiMutation('updateStaffSchedule', { onSuccess: () => setAsking(false) });
  const upcoming = dayRuns(Object.fromEntries(Object.entries(exceptions).filter(([date]) => date >= today)));
  const past = Object.keys(exceptions).filter((date) => date < today);
  const without = (dates: readonly string[]) => ({
    id: staffId,
    exceptions: Object.fromEntries(dates.map((date) => [date, null])),
  });
  return (
    <Section
      title={texts.exceptions}
      description={texts.exceptionsText}
      actions={
        <Button variant="default" leftSection={<Plus size={16} />} onClick={() => setAdding(true)}>
          {texts.addException}
        </Button>
      }
    >
      <ErrorNotice error={update.error} />
      {upcoming.length === 0 && <Text c="dimmed">{texts.noExceptions}</Text>}
      <LinedList
        isPending={update.isPending}
        lines={upcoming.map((run) => {
          const days = run.from === run.to ? wholeDay(run.from) : `${wholeDay(run.from)} – ${wholeDay(run.to)}`;
          return {
            key: run.from,
            title: days,
            hint: run.hours.map(({ from, to }) => `${from}–${to}`).join(', ') || strings.hours.off,
            action: texts.removeException(days),
            remove: () => update.mutate(without(daysOf(run))),
          };
        })}
      />
      {past.length > 0 && (
        <Group gap="xs">
          <DimmedText>{texts.pastExceptions(past.length)}</DimmedText>
          <Button variant="subtle" color="red" size="xs" onClick={() => setAsking(true)}>
            {texts.removePast}
          </Button>
        </Group>
      )}
      <ConfirmAction
        opened={isAsking}
        title={texts.removePastTitle}
        description={texts.removePastText}
        verb={texts.removePast}
        mutation={removePast}
        onConfirm={() => removePast.mutate(without(past))}
        onClose={() => setAsking(false)}
      />
      <FormDrawer opened={isAdding} title={texts.exceptions} onClose={() => setAdding(false)}>
        <ExceptionForm staffId={staffId} schedule={schedule} onClose={() => setAdding(false)} />
      </FormDrawer>
    </Section>
  );
}
