/** A dialog with a secret that cannot be read again. Back and Reload ask before the secret is lost. */
import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { strings } from '../strings/strings.ts';
import { CopyTextButton } from './copy-text-button.tsx';

interface ShownOnceProps {
  /** `shownLabel` is the name of the secret, for example "API key". */
  readonly texts: Readonly<Record<'shownTitle' | 'shownLabel' | 'shownWarning', string>>;
  readonly value: string;
  /** Instructions for the use of the secret. */
  readonly children?: ReactNode;
  onClose(): void;
}

export function ShownOnce({ texts, value, children, onClose }: ShownOnceProps) {
  const [stored, setStored] = useState(false);
  useBlocker({
    shouldBlockFn: () => !stored && !window.confirm(strings.app.unstored),
    enableBeforeUnload: () => !stored,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.shownTitle}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Alert color="yellow" icon={<TriangleAlert />}>
          {texts.shownWarning}
        </Alert>
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            {texts.shownLabel}
          </Text>
          <Group gap="sm" wrap="nowrap" align="stretch">
            <Code fz="sm" p="sm" flex={1} style={{ overflowWrap: 'anywhere' }} aria-label={texts.shownLabel}>
              {value}
            </Code>
            <CopyTextButton value={value} h="auto" data-autofocus />
          </Group>
        </Stack>
        {children}
        <Group justify="space-between">
          <Checkbox
            checked={stored}
            onChange={({ currentTarget }) => setStored(currentTarget.checked)}
            label={strings.app.storedIt}
          />
          <Button variant="default" disabled={!stored} onClick={onClose}>
            {strings.app.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
