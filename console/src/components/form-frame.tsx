/** The frame of every form, and of dialogs that send a request: drawer or section, the error and the buttons. */
import { Button, Drawer, Group, Modal, Stack } from '@mantine/core';
import { hashKey } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import type { ApiError } from '../api/errors.ts';
import { strings } from '../strings/strings.ts';
import { ErrorNotice } from './error-notice.tsx';
import { mayClose } from './may-close.ts';
import { Section } from './section.tsx';
import type { ApiForm } from './use-api-form.ts';

interface FormDrawerProps {
  readonly opened: boolean;
  readonly title: string;
  onClose(): void;
  /** Whether the drawer contains nothing but a form now. Default: true. */
  readonly isForm?: boolean;
  readonly size?: 'md' | 'lg' | 'xl';
  readonly children: ReactNode;
}

interface FrameProps extends FormDrawerProps {
  readonly as: typeof Drawer | typeof Modal;
}

/** Returns whether the drawer or dialog may close. A form asks the user if input would be lost. */
type Ask = () => boolean;

/** Forms and dialogs register here what must be asked before the drawer or dialog around them closes. */
const AskContext = createContext(new Set<Ask>());

/** A click outside closes no form. The close button and Escape ask before input is lost. */
function Frame({ as: Dialog, onClose, children, isForm = true, ...props }: FrameProps) {
  const [asks] = useState(() => new Set<Ask>());
  return (
    <Dialog closeOnClickOutside={!isForm} onClose={() => [...asks].every((ask) => ask()) && onClose()} {...props}>
      <AskContext value={asks}>{children}</AskContext>
    </Dialog>
  );
}

export const FormDrawer = (props: FormDrawerProps) => <Frame as={Drawer} size="lg" {...props} />;
/** A dialog instead of a drawer. */
export const FormModal = (props: FormDrawerProps) => <Frame as={Modal} {...props} />;

/**
 * Asks before input is lost because the page, the screen or the drawer closes. A form that `waits` stays open until its
 * response; a page can be left, and then a notification reports a failure.
 */
function useQuestion<Values extends object>({ isDirty, isSending, discard }: ApiForm<Values>, waits: boolean): void {
  useAsk(
    () => {
      if (waits && !mayClose(isSending)) return false;
      if (!isDirty() && !isSending()) return true;
      // What was sent goes on, so there is nothing to discard.
      const isAgreed = isSending() || window.confirm(strings.app.unsaved);
      // Closing a drawer may also change the address, which must not ask again.
      if (isAgreed) discard();
      return isAgreed;
    },
    () => isDirty() || isSending(),
  );
}

/** Keeps the drawer or dialog, and the page, open until the response to a request without a form. */
export const useWait = (isSending: () => boolean): void => useAsk(() => mayClose(isSending), isSending);

function useAsk(ask: Ask, enableBeforeUnload: () => boolean): void {
  useBlocker({ shouldBlockFn: () => !ask(), enableBeforeUnload });
  const asks = use(AskContext);
  useEffect(() => {
    asks.add(ask);
    return () => {
      asks.delete(ask);
    };
  });
}

interface FormFrameProps<Values extends object> {
  readonly api: ApiForm<Values>;
  /** The label of the button. Default: "Save". */
  readonly verb?: string;
  readonly isDangerous?: boolean;
  /** The label of the button that closes the form. Default: "Cancel". */
  readonly back?: string;
  /** Whether data that the form needs are loading, so that it cannot be sent yet. Default: false. */
  readonly isLoading?: boolean;
  onClose(): void;
  /** Content to the left of the buttons. */
  readonly aside?: ReactNode;
  /** Codes of errors that the form shows itself. */
  readonly shown?: readonly ApiError['code'][];
  /** What to do if the change may have taken effect. Default: it can be repeated. */
  readonly undecided?: string;
  readonly children: ReactNode;
}

/** A form in a drawer or dialog. */
export function FormFrame<Values extends object>({
  api,
  verb = strings.app.save,
  isDangerous = false,
  back = strings.app.cancel,
  isLoading = false,
  onClose,
  aside,
  shown = [],
  undecided,
  children,
}: FormFrameProps<Values>) {
  const { error, isPending } = api;
  useQuestion(api, true);
  const cancel = () => {
    if (!mayClose(api.isSending)) return;
    api.discard();
    onClose();
  };
  return (
    <form onSubmit={api.submit} noValidate>
      <Stack gap="lg">
        {children}
        <Stack gap="sm" className="form-actions">
          <ErrorNotice error={error && shown.includes(error.code) ? null : error} undecided={undecided} />
          <Group justify="space-between">
            <div>{aside}</div>
            <Group>
              <Button variant="default" onClick={cancel}>
                {back}
              </Button>
              <Button
                type="submit"
                color={isDangerous ? 'red' : undefined}
                disabled={api.isUnchanged}
                loading={isPending || isLoading}
              >
                {verb}
              </Button>
            </Group>
          </Group>
        </Stack>
      </Stack>
    </form>
  );
}

interface FormSectionProps<Values extends object> {
  readonly api: ApiForm<Values>;
  readonly title: string;
  readonly description?: string;
  /** The label of the button of a new entry. Default: "Save", which is disabled until something changes. */
  readonly verb?: string;
  readonly children: ReactNode;
}

/** A form as a section of a page. Until it is edited, it shows changes that were made elsewhere. */
export function FormSection<Values extends object>(props: FormSectionProps<Values>) {
  const { api, title, description, verb, children } = props;
  const isDirty = api.isDirty();
  useQuestion(api, false);
  const latest = hashKey([api.latest]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: An edited form keeps its values, also after its save.
  useEffect(() => {
    if (!isDirty) api.follow();
  }, [latest]);
  return (
    <Section title={title} description={description}>
      <form onSubmit={api.submit} noValidate>
        <Stack gap="lg">
          {children}
          <ErrorNotice error={api.error} />
          <Group justify="flex-end">
            {isDirty && verb === undefined && (
              <Button variant="default" onClick={api.discard} disabled={api.isPending}>
                {strings.app.discard}
              </Button>
            )}
            <Button type="submit" disabled={!isDirty && verb === undefined} loading={api.isPending}>
              {verb ?? strings.app.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
