/** The dialog over a screen whose session has ended. After the sign-in, the screen still has its input. */
import { Button, Modal, Stack, Text } from '@mantine/core';
import { LogIn } from 'lucide-react';
import { useState } from 'react';
import { strings } from '../strings/strings.ts';
import { useSession } from './session-context.ts';

/** Whether the browser would ask before it leaves the page. */
const hasUnsaved = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

export function SessionEnded() {
  const session = useSession();
  const [leaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    const signIn = hasUnsaved() ? session.signInAgain().then(() => setLeaving(false)) : session.signIn();
    signIn.catch(() => setLeaving(false));
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      title={strings.session.ended}
    >
      <Stack>
        <Text>{strings.session.endedHint}</Text>
        <Button leftSection={<LogIn size={18} />} loading={leaving} onClick={leave} data-autofocus>
          {strings.session.signInAgain}
        </Button>
      </Stack>
    </Modal>
  );
}
