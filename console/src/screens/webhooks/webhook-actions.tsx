/** The actions of a webhook. */
import { Button, Group, Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { History, KeyRound, type LucideIcon, Pencil, Trash2, Zap } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { ConfirmAction } from '../../components/confirm-action.tsx';
import { FormModal } from '../../components/form-frame.tsx';
import { notify } from '../../components/notify.tsx';
import { strings } from '../../strings/strings.ts';
import { Ping } from './ping.tsx';
import { Recover } from './recover.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

const texts = strings.webhooks;
const icons = { ping: Zap, recover: History, change: Pencil, rotate: KeyRound, delete: Trash2 } as const;

type Doing = keyof typeof icons;

/** Seconds for which the previous secret is still valid. */
const graces = ['0', '3600', '86400', '604800'] as const;
type Grace = (typeof graces)[number];

export function WebhookActions({ webhook }: { readonly webhook: Answer<'getWebhook'> }) {
  const { id, targetUrl, delivery, status } = webhook;
  const [doing, setDoing] = useState<Doing>();
  const [grace, setGrace] = useState<Grace>('0');
  const navigate = useNavigate();
  const rotate = useApiMutation('rotateWebhookSecret');
  const remove = useApiMutation('deleteWebhook', {
    leaves: true,
    onSuccess: () => {
      notify(texts.deleted);
      void navigate({ to: '/webhooks' });
    },
  });
  const stop = () => setDoing(undefined);
  return (
    <Group gap="sm">
      {(Object.entries(icons) as [Doing, LucideIcon][])
        // A feed has nothing to send again: its reader starts at an earlier number. A disabled webhook sends nothing.
        .filter(([next]) => (delivery === 'push' && status === 'active') || next !== 'recover')
        .map(([next, Icon]) => (
          <Button
            key={next}
            variant={next === 'delete' ? 'light' : 'default'}
            color={next === 'delete' ? 'red' : undefined}
            leftSection={<Icon size={16} />}
            onClick={() => setDoing(next)}
          >
            {texts[next]}
          </Button>
        ))}
      <FormModal opened={doing === 'ping'} onClose={stop} title={texts.pingTitle} isForm={false}>
        <Ping id={id} />
      </FormModal>
      <FormModal opened={doing === 'recover'} onClose={stop} title={texts.recoverTitle} isForm={false}>
        <Recover webhook={webhook} />
      </FormModal>
      <FormModal opened={doing === 'change'} onClose={stop} title={texts.changeTitle} size="xl">
        <WebhookForm webhook={webhook} onClose={stop} />
      </FormModal>
      <ConfirmAction
        opened={doing === 'rotate'}
        title={texts.rotateTitle}
        description={texts.rotateText}
        consequences={grace === '0' ? texts.rotateConsequences : texts.rotateGraceConsequences}
        choice={
          <Select
            label={texts.grace}
            data={graces.map((value) => ({ value, label: texts.graces[value] }))}
            value={grace}
            onChange={(value) => setGrace((value ?? '0') as Grace)}
            allowDeselect={false}
          />
        }
        verb={texts.rotateVerb}
        mutation={rotate}
        undecided={texts.maybeRotated}
        onConfirm={() => rotate.mutate({ id, graceSeconds: Number(grace) }, { onSuccess: stop })}
        onClose={stop}
      />
      {rotate.data && <ShownSecret value={rotate.data.secret} onClose={rotate.reset} />}
      <ConfirmAction
        opened={doing === 'delete'}
        title={texts.deleteTitle}
        description={texts.deleteText(targetUrl || webhook.description)}
        consequences={texts.deleteConsequences}
        verb={texts.deleteVerb}
        mutation={remove}
        onConfirm={() => remove.mutate({ id })}
        onClose={stop}
      />
    </Group>
  );
}
