/** Plots, loaded when the first is drawn: no screen waits for them. */
import { Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { BarsProps } from './bars.tsx';

const Bars = lazy(() => import('./bars.tsx').then((module) => ({ default: module.Bars })));

export interface PlotProps extends BarsProps {
  readonly title: string;
  /** What it shows, in a sentence, for whoever does not see it and for whoever does. */
  readonly summary: string;
}

/** A plot of bars below its title and the sentence that says what they come to. */
export function Plot({ title, summary, ...bars }: PlotProps) {
  return (
    <Stack gap="xs" role="group" aria-label={`${title}: ${summary}`}>
      <div>
        <Text fw={650}>{title}</Text>
        <Text size="sm" c="dimmed">
          {summary}
        </Text>
      </div>
      <div aria-hidden>
        <Suspense fallback={<Skeleton h={bars.height ?? 180} />}>
          <Bars {...bars} />
        </Suspense>
      </div>
    </Stack>
  );
}
