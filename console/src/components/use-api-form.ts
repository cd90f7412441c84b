/** A form that sends one operation: errors of fields are shown beside them, other errors above the buttons. */
import type { InputWrapperProps } from '@mantine/core';
import { useForm } from '@mantine/form';
import { hashKey } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { Answer, Input } from '../api/call.ts';
import type { ApiError } from '../api/errors.ts';
import { type MutationId, useApiMutation } from '../api/hooks.ts';
import { errorTitle, inEnglish } from './error-text.ts';
import { notify } from './notify.tsx';

/** Mantine does not export this type. */
type Form<Values extends object> = ReturnType<typeof useForm<Values>>;

export interface ApiForm<Values extends object> {
  readonly form: Form<Values>;
  /** The error of the last submit, unless all of it is shown beside fields. */
  readonly error: ApiError | null;
  /** The values of the last submit. Default: the initial values. */
  readonly submitted: Values;
  readonly isPending: boolean;
  /** Whether a request waits for its response. */
  isSending(): boolean;
  /** Whether the values differ from the initial ones. Mantine's `isDirty` of a form overlooks `setValues`. */
  isDirty(): boolean;
  /** Whether there is nothing to send: the form sends only changes, and nothing has changed. */
  readonly isUnchanged: boolean;
  submit(event?: FormEvent<HTMLFormElement>): void;
  /** Sends the last input again with these changes, which the form does not keep. */
  submitWith(changes: Partial<Values>): void;
  /** Shows the latest values instead of the input, and no error. */
  discard(): void;
  /** The initial values that the data have now. */
  readonly latest: Values;
  /** Shows the latest values. */
  follow(): void;
}

interface ApiFormOptions<Id extends MutationId, Values> {
  readonly operation: Id;
  readonly initialValues: Values;
  /** Validates before the API is called. Returns messages by field. */
  readonly validate?: (values: Values) => Readonly<Record<string, string | undefined>>;
  /** Returns the form's name for a field of the API, if they differ. */
  readonly fieldNames?: (path: string, values: Values) => string;
  readonly toInput: (values: Values) => Input<Id>;
  /**
   * Whether only the id and the edited fields are sent, because others may have been changed elsewhere since the form
   * was opened. Default: false.
   */
  readonly changesOnly?: boolean;
  /** Returns the notification after a success. Default: none. */
  readonly notification?: (answer: Answer<Id>) => string;
  onSuccess?(answer: Answer<Id>): void;
  /** Closes the form after a success. */
  onDone?(answer: Answer<Id>): void;
}

/** Fields have their names in the API, so that errors in its `details` can be assigned to them. */
export function useApiForm<Id extends MutationId, Values extends object>(
  options: ApiFormOptions<Id, Values>,
): ApiForm<Values> {
  const { fieldNames = (path) => path } = options;
  const form = useForm<Values>({ initialValues: options.initialValues });
  const initial = useRef(options.initialValues);
  const submitted = useRef(options.initialValues);
  const isDiscarded = useRef(false);
  /** The initial values at the last save. Until the data are loaded again, they are older than this save. */
  const beforeSave = useRef<Values>(undefined);
  const { changesOnly = false } = options;
  const send = (values: Values) => {
    const input = changesOnly
      ? changesBetween(options.toInput(initial.current), options.toInput(values))
      : options.toInput(values);
    // For example, a trailing space is not a change: then the form is reset.
    if (input) mutate(input);
    else discard();
  };
  const [isBesideFields, setBesideFields] = useState(false);
  const showErrors = (errors: Record<string, ReactNode>) => {
    form.setErrors(errors);
    focusFirst(Object.keys(errors));
  };
  const { mutate, isPending, isSending, error, reset, variables } = useApiMutation(options.operation, {
    onSuccess: (answer) => {
      beforeSave.current = options.initialValues;
      initial.current = submitted.current;
      form.setInitialValues(submitted.current);
      form.resetDirty(submitted.current);
      if (options.notification) notify(options.notification(answer));
      options.onSuccess?.(answer);
      options.onDone?.(answer);
    },
    onError: (failed) => {
      // The user may have left the page of the form.
      if (isDiscarded.current) return notify(errorTitle(failed));
      const fields = failed.problems.map(
        ({ path, message }) => [fieldOf(form, fieldNames(path, submitted.current)), message] as const,
      );
      const found = fields.flatMap(([field, message]) =>
        field === undefined ? [] : [[field, inEnglish(sentence(message))]],
      );
      showErrors(Object.fromEntries(found));
      setBesideFields(found.length > 0 && found.length === fields.length);
    },
  });
  const submit = form.onSubmit((values) => {
    isDiscarded.current = false;
    // What the form would send depends on loaded data, which the undecided change itself may have changed.
    if (error?.isUndecided && variables && hashKey([values]) === hashKey([submitted.current])) return mutate(variables);
    const problems = Object.entries(options.validate?.(values) ?? {}).filter(([, message]) => message);
    showErrors(Object.fromEntries(problems));
    if (problems.length > 0) return;
    submitted.current = values;
    send(values);
  });
  const submitWith = (changes: Partial<Values>) => {
    send({ ...submitted.current, ...changes });
  };
  const latest = options.initialValues;
  const follow = () => {
    beforeSave.current = undefined;
    initial.current = latest;
    form.setInitialValues(latest);
    form.reset();
  };
  const discard = () => {
    isDiscarded.current = true;
    if (hashKey([latest]) === hashKey([beforeSave.current])) form.reset();
    else follow();
    reset();
  };
  const isDirty = () => hashKey([form.getValues()]) !== hashKey([initial.current]);
  const isUnchanged = changesOnly && !isDirty();
  const shown = isBesideFields ? null : error;
  const last = submitted.current;
  const actions = { submit, submitWith, discard, follow };
  return { form, error: shown, submitted: last, isPending, isSending, isDirty, isUnchanged, latest, ...actions };
}

/** The order of an input that shares its row with others: their boxes are aligned. */
export const descriptionBelow: NonNullable<InputWrapperProps['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
];

/** The names that end in `Hint` but describe no other name, such as misspelt ones. Two are of an empty list. */
type StrayHint<Texts> = Exclude<
  keyof Texts & `${string}Hint`,
  `${keyof Texts & string}Hint` | 'emptyHint' | 'noneHint'
>;

/**
 * Returns a function for the props of an input. Its label is the text with the name of the field; its description is
 * the text whose name ends in `Hint`.
 */
export function fieldsOf<Values extends object, Texts extends object>(
  { form }: ApiForm<Values>,
  texts: Texts & Readonly<Record<StrayHint<Texts>, never>>,
) {
  return (name: keyof Values & keyof Texts & string, options?: { readonly type: 'checkbox' }) => ({
    label: texts[name] as string,
    description: (texts as Readonly<Record<string, unknown>>)[`${name}Hint`] as string | undefined,
    ...form.getInputProps(name as never, options),
  });
}

/** Returns the id and the fields that differ, or undefined for none: the API rejects an empty change. */
function changesBetween<Sent>(before: Sent, after: Sent): Sent | undefined {
  const known = new Map(Object.entries(before as object).map(([name, value]) => [name, hashKey([value])]));
  const { id, ...fields } = after as { readonly id?: unknown };
  const changed = Object.entries(fields).filter(([name, value]) => known.get(name) !== hashKey([value]));
  return changed.length > 0 ? ({ id, ...Object.fromEntries(changed) } as Sent) : undefined;
}

/** Returns the field for a path, or the field that contains it: `staffIds` for `staffIds.2`. */
function fieldOf<Values extends object>(form: Form<Values>, path: string): string | undefined {
  const names = path.split('.');
  return names
    .map((_, left) => names.slice(0, names.length - left).join('.'))
    .find((name) => name !== '' && form.getInputNode(name as never));
}

/** Focuses the first of these fields in the order of the page, and scrolls it into view. */
function focusFirst(fields: readonly string[]): void {
  const nodes = [...document.querySelectorAll<HTMLElement>('[data-path]')];
  const field = nodes.find(({ dataset: { path = '' } }) => fields.includes(path));
  const input = field?.matches('input, textarea, [tabindex]') ? field : field?.querySelector<HTMLElement>('input');
  input?.focus();
  (input ?? field)?.scrollIntoView({ block: 'center' });
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
