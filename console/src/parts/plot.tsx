/** Plots, loaded when the first is looked at: no screen waits for them, and a phone may never scroll there. */
import { Skeleton, Stack, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { BarsProps } from './bars.tsx';
import { useLast } from './use-last.ts';

const Bars = lazy(() => import('./bars.tsx').then((module) => ({ default: module.Bars })));

export interface PlotProps extends BarsProps {
  readonly title: string;
  /** What it shows, in a sentence, for whoever does not see it and for whoever does. */
  readonly summary: string;
}

/** A plot of bars below its title and the sentence that says what they come to. */
export function Plot({ title, summary, ...bars }: PlotProps) {
  const { ref, entry } = useIntersection({ rootMargin: '200px' });
  const { data, series } = bars;
  const isEmpty = data.every((place) => series.every(({ name }) => !place[name]));
  const isSeen = useLast(entry?.isIntersecting || undefined);
  const room = <Skeleton h={bars.height ?? 180} />;
  return (
    <Stack gap="xs" role="group" aria-label={`${title}: ${summary}`}>
      <div>
        <Text fw={650}>{title}</Text>
        <Text size="sm" c="dimmed">
          {summary}
        </Text>
      </div>
      <div aria-hidden ref={ref} hidden={isEmpty}>
        {isSeen ? (
          <Suspense fallback={room}>
            <Bars {...bars} />
          </Suspense>
        ) : (
          room
        )}
      </div>
    </Stack>
  );
}
