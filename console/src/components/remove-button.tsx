/** A button that permanently deletes something, and its confirmation dialog. */
import { Button, type ButtonProps } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation } from '../api/hooks.ts';
import { strings } from '../strings/strings.ts';
import type { Named } from './choices.ts';
import { ConfirmAction } from './confirm-action.tsx';
import { notify } from './notify.tsx';

interface RemoveButtonProps extends Pick<ButtonProps, 'variant'> {
  readonly operation: 'deleteService' | 'deleteStaffMember' | 'deleteResource' | 'removeColleague';
  readonly entry: Named;
  readonly texts: {
    /** Default: "Delete". */
    readonly remove?: string;
    readonly removeTitle: string;
    readonly removeText: (name: string) => string;
    readonly removeConsequences?: readonly string[];
    readonly removeVerb: string;
    readonly removed: (name: string) => string;
  };
  onDone(): void;
}

export function RemoveButton({ operation, entry, texts, onDone, variant = 'subtle' }: RemoveButtonProps) {
  const { id, name } = entry;
  const [isAsking, setAsking] = useState(false);
  const remove = useApiMutation(operation);
  const done = () => {
    setAsking(false);
    notify(texts.removed(name));
    onDone();
  };
  return (
    <>
      <Button variant={variant} color="red" leftSection={<Trash2 size={16} />} onClick={() => setAsking(true)}>
        {texts.remove ?? strings.app.delete}
      </Button>
      <ConfirmAction
        opened={isAsking}
        title={texts.removeTitle}
        description={texts.removeText(name)}
        consequences={texts.removeConsequences ?? []}
        verb={texts.removeVerb}
        mutation={remove}
        onConfirm={() => remove.mutate({ id }, { onSuccess: done })}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
