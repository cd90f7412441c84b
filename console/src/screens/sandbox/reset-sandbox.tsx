/** Deletes the data of the sandbox and copies the live catalogue into it again. */
import { useApiMutation } from '../../api/hooks.ts';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { notify } from '../../components/notify.tsx';
import { strings } from '../../strings/strings.ts';

const texts = strings.app.reset;

export function ResetSandbox({ opened, onClose }: { readonly opened: boolean; onClose(): void }) {
  const reset = useApiMutation('resetSandbox', {
    onSuccess: ({ status }) => {
      // One call could not delete everything.
      if (status === 'running') return reset.mutate(undefined);
      notify(texts.done);
      onClose();
    },
  });
  return (
    <ConfirmAction
      opened={opened}
      title={texts.title}
      description={texts.text}
      consequences={texts.consequences}
      verb={texts.verb}
      mutation={reset}
      onConfirm={() => reset.mutate(undefined)}
      onClose={onClose}
    />
  );
}
