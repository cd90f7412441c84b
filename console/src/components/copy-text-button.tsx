/** A button that copies a text, and says for two seconds that it has. */
import { Button, type ButtonProps, CopyButton, VisuallyHidden } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { strings } from '../strings/strings.ts';

interface CopyTextButtonProps extends ButtonProps {
  readonly value: string;
  /** Default: "Copy". */
  readonly label?: string;
}

export function CopyTextButton({ value, label = strings.app.copy, ...props }: CopyTextButtonProps) {
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <>
          <Button leftSection={copied ? <Check size={16} /> : <Copy size={16} />} onClick={copy} {...props}>
            {copied ? strings.app.copied : label}
          </Button>
          <CopiedStatus copied={copied} />
        </>
      )}
    </CopyButton>
  );
}

/** For screen readers, which do not read that the focused button has changed. */
export function CopiedStatus({ copied }: { readonly copied: boolean }) {
  return <VisuallyHidden role="status">{copied && strings.app.copied}</VisuallyHidden>;
}
