/** The form for a new or existing room or other resource. */
import { Autocomplete, Switch, TextInput } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { useWholeList } from '../../api/hooks.ts';
import { FormFrame } from '../../components/form-frame.tsx';
import { RemoveButton } from '../../components/remove-button.tsx';
import { fieldsOf, useApiForm } from '../../components/use-api-form.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.resources;

export type Resource = Answer<'getResource'>;

interface ResourceFormProps {
  readonly resource?: Resource;
  onClose(): void;
}

export function ResourceForm({ resource, onClose }: ResourceFormProps) {
  const kinds = useKinds();
  const api = useApiForm({
    operation: resource ? 'updateResource' : 'createResource',
    changesOnly: resource !== undefined,
    initialValues: { name: resource?.name ?? '', kind: resource?.kind ?? '', active: resource?.active ?? true },
    toInput: ({ name, kind, active }) => ({
      ...(resource && { id: resource.id }),
      name: name.trim(),
      kind: kind.trim(),
      active,
    }),
    notification: ({ name }) => (resource ? texts.saved(name) : texts.created(name)),
    onDone: onClose,
  });
  const field = fieldsOf(api, texts);
  return (
    <FormFrame
      api={api}
      verb={resource ? strings.app.save : texts.create}
      onClose={onClose}
      aside={resource && <RemoveButton operation="deleteResource" entry={resource} texts={texts} onDone={onClose} />}
    >
      <TextInput {...field('name')} required maxLength={200} data-autofocus />
      <Autocomplete {...field('kind')} required data={[...kinds]} maxLength={50} />
      <Switch {...field('active', { type: 'checkbox' })} />
    </FormFrame>
  );
}

/** Returns the existing kinds of resources, and those that services need. */
export function useKinds(): readonly string[] {
  const resources = useWholeList('listResources');
  const services = useWholeList('listServices');
  const kinds = [
    ...(resources.data?.data.map(({ kind }) => kind) ?? []),
    ...(services.data?.data.flatMap(({ resourceKind }) => resourceKind ?? []) ?? []),
  ];
  return [...new Set(kinds)];
}
