/** Days off and special hours of a staff member. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { LinedList } from '../../components/lined-list.tsx';
import { daysOf } from '../../format/days.ts';
import { useToday, wholeDay } from '../../format/times.ts';
import type { Schedule } from '../../format/working-hours.ts';
import { strings } from '../../strings/strings.ts';
import { type DayRun, dayRuns } from './day-runs.ts';
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
  const update = useApiMutation('updateStaffSchedule');
  const upcoming = dayRuns(Object.fromEntries(Object.entries(exceptions).filter(([date]) => date >= today)));
  const past = Object.keys(exceptions).filter((date) => date < today).length;
  const remove = (run: DayRun) =>
    update.mutate({ id: staffId, exceptions: Object.fromEntries(daysOf(run).map((date) => [date, null])) });
  return (
    <Paper component="section" aria-label={texts.exceptions}>
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2}>{texts.exceptions}</Title>
            <DimmedText mt={4} maw={640}>
              {texts.exceptionsText}
            </DimmedText>
          </div>
          <Button variant="default" leftSection={<Plus size={16} />} onClick={() => setAdding(true)}>
            {texts.addException}
          </Button>
        </Group>
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
              remove: () => remove(run),
            };
          })}
        />
        {past > 0 && <DimmedText>{texts.pastExceptions(past)}</DimmedText>}
      </Stack>
      <FormDrawer opened={isAdding} title={texts.exceptions} onClose={() => setAdding(false)}>
        <ExceptionForm staffId={staffId} schedule={schedule} onClose={() => setAdding(false)} />
      </FormDrawer>
    </Paper>
  );
}
