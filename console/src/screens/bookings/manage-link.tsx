/** Creates and copies a link with which a client manages a booking, and revokes all such links. */
import { Button, Group, Text } from '@mantine/core';
import { Link, Unlink } from 'lucide-react';
import { useApiMutation } from '../../api/hooks.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { notify } from '../../components/notify.tsx';
import { strings } from '../../strings/strings.ts';
import type { Booking } from './booking.ts';

/** The longest that the API allows, because the booking may be moved to a later day. */
const expiresInSeconds = 90 * 86_400;

/** The link takes the focus from the button, which it replaces, but not from what the user has opened or focused since. */
const focus = (link: HTMLElement | null) => {
  const focused = document.activeElement;
  if (focused === document.body || focused === link?.closest('[role=dialog]')) link?.focus();
};

interface ManageLinkProps {
  readonly booking: Booking;
  /** After the booking has begun, existing links still show the booking, and can be ended. */
  readonly hasBegun: boolean;
}

export function ManageLink({ booking: { id }, hasBegun }: ManageLinkProps) {
  const texts = strings.bookings;
  const create = useApiMutation('createManageLink', {
    onSuccess: async ({ url }) => {
      if (!url) return;
      // If the browser refuses, the link is shown below with its own button.
      await navigator.clipboard.writeText(url).then(
        () => notify(texts.linkCopied),
        () => undefined,
      );
    },
  });
  const end = useApiMutation('endManageLinks', {
    onSuccess: () => {
      create.reset();
      notify(texts.linksEnded);
    },
  });
  const link = create.data?.url;
  return (
    <>
      <ErrorNotice error={create.error ?? end.error} />
      {create.data && !link && <Text>{texts.noPages}</Text>}
      {link && (
        <div>
          <CodeBlock label={texts.manageLink} text={link} ref={focus} />
          <DimmedText size="xs">{texts.linkHint}</DimmedText>
        </div>
      )}
      <Group gap="xs">
        {!link && !hasBegun && (
          <Button
            variant="default"
            leftSection={<Link size={16} />}
            loading={create.isPending}
            onClick={() => create.mutate({ id, expiresInSeconds })}
          >
            {texts.copyLink}
          </Button>
        )}
        <Button
          variant="subtle"
          color="red"
          leftSection={<Unlink size={16} />}
          loading={end.isPending}
          onClick={() => end.mutate({ id })}
        >
          {texts.endLinks}
        </Button>
      </Group>
    </>
  );
}
