import { ActionIcon, Code, CopyButton } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import type { Ref } from 'react';
import { strings } from '../strings/strings.ts';
import { CopiedStatus } from './copy-text-button.tsx';

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
  readonly ref?: Ref<HTMLElement>;
}

export function CodeBlock({ label, text, ref }: CodeBlockProps) {
  return (
    <div style={{ position: 'relative' }}>
      {/* It scrolls, so the keyboard must reach it. */}
      <Code
        block
        ref={ref}
        role="region"
        aria-label={label}
        tabIndex={0}
        mah="36rem"
        p="md"
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {text}
      </Code>
      <CopyButton value={text} timeout={2_000}>
        {({ copied, copy }) => (
          <>
            <ActionIcon
              variant="default"
              pos="absolute"
              top={8}
              right={8}
              onClick={copy}
              title={copied ? strings.app.copied : strings.app.copy}
              aria-label={`${strings.app.copy}: ${label}`}
            >
              {copied ? <Check size={16} /> : <Copy size={16} />}
            </ActionIcon>
            <CopiedStatus text={copied && strings.app.copied} />
          </>
        )}
      </CopyButton>
    </div>
  );
}

/** Indents JSON. Returns other text unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
