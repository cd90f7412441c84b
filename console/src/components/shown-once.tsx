/** A dialog with a secret that cannot be read again. Back and Reload ask before the secret is lost. */
import { Alert, Button, Checkbox, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { Check, Copy, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { strings } from '../strings/strings.ts';

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
      closeOnEscape={false}
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
            <CopyButton value={value} timeout={2_000}>
              {({ copied, copy }) => (
                <Button
                  h="auto"
                  onClick={copy}
                  leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
                  data-autofocus
                >
                  {copied ? strings.app.copied : strings.app.copy}
                </Button>
              )}
            </CopyButton>
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
