/** A form that the API judges: what it holds against a field stands beside the field, the rest above the buttons. */
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiError } from '../api/errors.ts';

/** Mantine's own name for it is out of reach of its entry point. */
type Form<Values extends object> = ReturnType<typeof useForm<Values>>;

export interface ApiForm<Values extends object> {
  readonly form: Form<Values>;
  /** What no field shows. */
  readonly error: ApiError | null;
  readonly isPending: boolean;
  submit(event?: FormEvent<HTMLFormElement>): void;
  /** Back to what it began with, or was saved last. */
  discard(): void;
}

export interface ApiFormOptions<Values, Done> {
  readonly initialValues: Values;
  /** What the API is not asked. */
  readonly validate?: (values: Values) => Readonly<Record<string, string | undefined>>;
  /** The field of what the API names, where the form has another name for it. */
  readonly fieldNames?: (path: string) => string;
  send(values: Values): Promise<Done>;
  onDone(answer: Done): void;
}

/** Fields are named as the API names them, so that its `details` find them. */
export function useApiForm<Values extends object, Done>(options: ApiFormOptions<Values, Done>): ApiForm<Values> {
  const form = useForm<Values>({ initialValues: options.initialValues });
  const [unplaced, setUnplaced] = useState<ApiError | null>(null);
  const { mutate, isPending } = useMutation<Done, ApiError, Values>({
    mutationFn: options.send,
    onMutate: () => setUnplaced(null),
    onSuccess: (answer, sent) => {
      form.setInitialValues(sent);
      form.resetDirty(sent);
      options.onDone(answer);
    },
    onError: (error) => {
      const { fieldNames = (path) => path } = options;
      const placed = error.problems.map(({ path, message }) => [fieldOf(form, fieldNames(path)), message] as const);
      const beside = placed.flatMap(([field, message]) => (field === undefined ? [] : [[field, sentence(message)]]));
      form.setErrors(Object.fromEntries(beside));
      if (beside.length === 0 || beside.length < placed.length) setUnplaced(error);
      const [first] = beside;
      if (first) form.getInputNode(first[0] as never)?.focus();
    },
  });
  const submit = form.onSubmit((values) => {
    const problems = Object.entries(options.validate?.(values) ?? {}).filter(([, words]) => words);
    form.setErrors(Object.fromEntries(problems));
    if (problems.length === 0) mutate(values as Values);
  });
  const discard = () => {
    form.reset();
    setUnplaced(null);
  };
  return { form, error: unplaced, isPending, submit, discard };
}

/** The field that the path names, or that holds what it names: `staffIds` of `staffIds.2`. */
function fieldOf<Values extends object>(form: Form<Values>, path: string): string | undefined {
  const names = path.split('.');
  return names
    .map((_, left) => names.slice(0, names.length - left).join('.'))
    .find((name) => name !== '' && form.getInputNode(name as never));
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
