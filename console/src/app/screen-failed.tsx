/** The screens for load errors and unknown addresses. */
import { Button, EmptyState, Title } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { AnchorLink } from '../components/link.tsx';
import { Page } from '../components/page.tsx';
import { strings } from '../strings/strings.ts';

/** The most frequent reasons are that the browser is offline, or that a newer version has replaced a chunk. */
export function ScreenFailed({ error }: ErrorComponentProps) {
  // Reloads the page when the connection is back.
  useWindowEvent('online', () => location.reload());
  return (
    <EmptyState
      role="alert"
      icon={<TriangleAlert />}
      title={
        <Title order={1} size="h3">
          {strings.app.screenFailed}
        </Title>
      }
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
    <Page title={strings.app.notFound} description={strings.app.notFoundHint}>
      <AnchorLink to="/">{strings.app.toOverview}</AnchorLink>
    </Page>
  );
}
