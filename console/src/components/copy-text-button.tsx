/** A button that copies a text, and says whether it has. */
import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { strings } from '../strings/strings.ts';

interface CopyTextButtonProps extends ButtonProps {
  readonly value: string;
  /** Default: "Copy". */
  readonly label?: string;
}

export function CopyTextButton({ value, label = strings.app.copy, ...props }: CopyTextButtonProps) {
  const { copied, error, copy } = useClipboard();
  const shown = error ? strings.app.notCopied : copied ? strings.app.copied : label;
  return (
    <>
      <Button leftSection={copied ? <Check size={16} /> : <Copy size={16} />} onClick={() => copy(value)} {...props}>
        {shown}
      </Button>
      <CopiedStatus text={shown !== label && shown} />
    </>
  );
}

/** For screen readers, which do not read that the focused button has changed. */
export function CopiedStatus({ text }: { readonly text: string | false }) {
  return <VisuallyHidden role="status">{text}</VisuallyHidden>;
}
