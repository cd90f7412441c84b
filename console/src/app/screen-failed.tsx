/** The screens for load errors and unknown addresses. */
import { Button, EmptyState } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { MapPinOff, TriangleAlert } from 'lucide-react';
import { AnchorLink } from '../components/link.tsx';
import { strings } from '../strings/strings.ts';

/** Most often offline, or a chunk that a newer version has replaced. */
export function ScreenFailed({ error }: ErrorComponentProps) {
  // The page that could not be loaded is loaded when the connection is back.
  useWindowEvent('online', () => location.reload());
  return (
    <EmptyState
      role="alert"
      icon={<TriangleAlert />}
      title={strings.app.screenFailed}
      description={`${strings.app.screenFailedHint} (${error instanceof Error ? error.message : String(error)})`}
    >
      <EmptyState.Actions>
        <Button onClick={() => location.reload()}>{strings.app.reload}</Button>
      </EmptyState.Actions>
    </EmptyState>
  );
}

export function ScreenMissing() {
  return (
    <EmptyState icon={<MapPinOff />} title={strings.app.notFound} description={strings.app.notFoundHint}>
      <EmptyState.Actions>
        <AnchorLink to="/">{strings.app.toOverview}</AnchorLink>
      </EmptyState.Actions>
    </EmptyState>
  );
}
