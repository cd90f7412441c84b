/** Explains why an address gets no more emails about problems, with a button that resumes them. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { MailX } from 'lucide-react';
import type { Answer, Input } from '../api/call.ts';
import { useApiMutation } from '../api/hooks.ts';
import { useTimes } from '../format/times.ts';
import { strings } from '../strings/strings.ts';
import { notify } from './notify.tsx';

interface AddressOffProps<Id extends 'updateBusiness' | 'updateApiKey'> {
  readonly address: string | null;
  readonly off: Answer<'getBusiness'>['noticeEmailOff'];
  readonly operation: Id;
  /** The input that sets the same address again, which resumes the emails. */
  readonly input: Input<Id>;
}

/** Renders nothing if the address gets emails. */
export function AddressOff<Id extends 'updateBusiness' | 'updateApiKey'>({
  address,
  off,
  operation,
  input,
}: AddressOffProps<Id>) {
  const { date } = useTimes();
  const resume = useApiMutation(operation, { onSuccess: () => notify(strings.app.emailResumed) });
  if (!off || address === null) return null;
  return (
    <Alert color="yellow" icon={<MailX />}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{strings.app.emailOff[off.reason](address, date(off.at))}</Text>
        <Button size="xs" variant="default" loading={resume.isPending} onClick={() => resume.mutate(input)}>
          {strings.app.emailResume}
        </Button>
      </Stack>
    </Alert>
  );
}
