/** A plot. The library is loaded when the first plot comes into view. */
import { Skeleton, Stack, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { BarsProps } from './bars.tsx';
import { DimmedText } from './dimmed-text.tsx';
import { usePreviousDefined } from './use-previous-defined.ts';

const Bars = lazy(() => import('./bars.tsx').then((module) => ({ default: module.Bars })));

interface PlotProps extends BarsProps {
  readonly title: string;
  /** The content in one sentence, visible and for screen readers. */
  readonly summary: string;
}

/** A bar chart below its title and summary. Without values, only these two are shown. */
export function Plot({ title, summary, ...bars }: PlotProps) {
  const { ref, entry } = useIntersection({ rootMargin: '200px' });
  const { data, series } = bars;
  const isEmpty = data.every((point) => series.every(({ name }) => !point[name]));
  const isSeen = usePreviousDefined(entry?.isIntersecting || undefined);
  const room = !isEmpty && <Skeleton h={bars.height ?? 180} />;
  return (
    <Stack gap="xs" role="group" aria-label={`${title}: ${summary}`}>
      <div>
        <Text fw={650}>{title}</Text>
        <DimmedText>{summary}</DimmedText>
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
